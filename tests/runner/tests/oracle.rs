//! The crate `cel` as an oracle: random expressions, put to both.
//!
//! They are of the part of the language that both have. What is not asked,
//! since the two differ there on purpose:
//!
//! - arithmetic that mixes int and double: an error there, a double here
//!   (DESIGN §3);
//! - the order of NaN: an error there; false here, as in IEEE 754 and in
//!   Google's own evaluators.

use cel::{Context, Program, Value as Theirs};
use proptest::{
    prelude::*,
    sample::select,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner},
};
use serde_json::{Map, Value, json};
use veristate::{EvaluationStatus, evaluate};

/// Every run puts the same expressions.
const EXPRESSIONS: u32 = 2000;

/// How deep an expression may nest.
const DEPTH: u32 = 3;

/// Expressions by what they usually give.
struct Level {
    int: BoxedStrategy<String>,
    uint: BoxedStrategy<String>,
    double: BoxedStrategy<String>,
    /// Doubles that are never NaN.
    number: BoxedStrategy<String>,
    bool: BoxedStrategy<String>,
    string: BoxedStrategy<String>,
    list: BoxedStrategy<String>,
}

impl Level {
    /// Literals and variables.
    fn leaves() -> Self {
        let doubles = |doubles: &[&'static str]| select(doubles.to_vec()).prop_map(String::from);
        Self {
            int: prop_oneof![
                6 => (-3..20_i64).prop_map(|int| int.to_string()),
                3 => select(vec!["n", "i", "j"]).prop_map(String::from),
                1 => select(vec!["9223372036854775807", "-9223372036854775808", "0x10", "missing"])
                    .prop_map(String::from),
            ]
            .boxed(),
            uint: select(vec!["0u", "1u", "7u", "18446744073709551615u"])
                .prop_map(String::from)
                .boxed(),
            double: doubles(&["0.0", "1.0", "-2.5", "0.1", "1e300", "3e-7", "x"]).boxed(),
            number: doubles(&["0.0", "1.0", "-2.5", "0.1", "3e-7", "x"]).boxed(),
            bool: select(vec!["true", "false", "b"]).prop_map(String::from).boxed(),
            string: select(vec!["''", "'a'", "\"ab\"", "'ü'", "r'\\n'", "'🚚\\n'", "'12'", "s"])
                .prop_map(String::from)
                .boxed(),
            list: select(vec!["[]", "[1]", "[3, 1, 2]", "l"]).prop_map(String::from).boxed(),
        }
    }

    /// Expressions made of these.
    fn next(&self) -> Self {
        let Self { int, uint, double, number, bool, string, list } = self;
        let wrong =
            prop_oneof![string.clone(), bool.clone(), list.clone(), Just("null".into())].boxed();
        // Now and then something does not fit. In parentheses: otherwise a part of it could become a neighbour
        // of a double, and int and double would mix.
        let apart =
            |text: &BoxedStrategy<String>| text.clone().prop_map(|text| format!("({text})"));
        let int_ = prop_oneof![40 => int.clone(), 1 => apart(&wrong)].boxed();
        let bool_ = prop_oneof![40 => bool.clone(), 1 => apart(int), 1 => apart(&wrong)].boxed();
        let string_ = prop_oneof![40 => string.clone(), 1 => apart(int)].boxed();
        let any = prop_oneof![int.clone(), uint.clone(), double.clone(), wrong].boxed();
        let order = ["<", "<=", ">", ">="];
        let of_lists = |macros: &[&'static str], of: &BoxedStrategy<String>| {
            (list.clone(), select(macros.to_vec()), select(vec!["i", "j"]), of.clone())
                .prop_map(|(list, name, item, of)| format!("{list}.{name}({item}, {of})"))
        };
        Self {
            int: prop_oneof![
                6 => binary(&int_, &["+", "-", "*", "/", "%"], &int_),
                2 => conditional(&bool_, int),
                1 => int_.clone().prop_map(|int| format!("-({int})")),
                1 => list.clone().prop_map(|list| format!("size({list})")),
                1 => string.clone().prop_map(|string| format!("size({string})")),
                1 => (list.clone(), int.clone()).prop_map(|(list, at)| format!("{list}[{at}]")),
                2 => int.clone(),
            ]
            .boxed(),
            uint: prop_oneof![
                2 => binary(uint, &["+", "-", "*", "/", "%"], uint),
                1 => uint.clone(),
            ]
            .boxed(),
            double: prop_oneof![
                4 => binary(double, &["+", "-", "*", "/"], double),
                1 => conditional(&bool_, double),
                1 => double.clone().prop_map(|double| format!("-({double})")),
                1 => double.clone(),
            ]
            .boxed(),
            number: binary(number, &["+", "-", "*"], number),
            bool: prop_oneof![
                4 => binary(&bool_, &["&&", "||"], &bool_),
                2 => bool_.clone().prop_map(|bool| format!("!({bool})")),
                2 => binary(&int_, &order, &int_),
                1 => binary(number, &order, number),
                1 => binary(int, &order, number),
                1 => binary(uint, &order, int),
                1 => binary(&string_, &order, &string_),
                2 => binary(&any, &["==", "!="], &any),
                1 => binary(list, &["==", "!="], list),
                1 => binary(&any, &["in"], list),
                3 => of_lists(&["all", "exists", "exists_one"], &bool_),
                1 => (string_.clone(), select(vec!["contains", "startsWith", "endsWith"]), string_.clone())
                    .prop_map(|(text, name, part)| format!("{text}.{name}({part})")),
                1 => conditional(&bool_, bool),
            ]
            .boxed(),
            string: prop_oneof![
                3 => binary(&string_, &["+"], &string_),
                1 => conditional(&bool_, string),
                1 => int.clone().prop_map(|int| format!("string({int})")),
                1 => string.clone(),
            ]
            .boxed(),
            list: prop_oneof![
                2 => prop::collection::vec(int.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
                1 => binary(list, &["+"], list),
                2 => of_lists(&["filter"], &bool_),
                2 => of_lists(&["map"], int),
                1 => (list.clone(), bool.clone(), int.clone())
                    .prop_map(|(list, test, item)| format!("{list}.map(i, {test}, {item})")),
                1 => conditional(&bool_, list),
            ]
            .boxed(),
        }
    }
}

fn binary(
    left: &BoxedStrategy<String>,
    operators: &[&'static str],
    right: &BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    let parts = (left.clone(), select(operators.to_vec()), right.clone(), any::<bool>());
    parts
        .prop_map(|(left, operator, right, in_parentheses)| match in_parentheses {
            true => format!("({left} {operator} {right})"),
            // What binds closer is a part of the question.
            false => format!("{left} {operator} {right}"),
        })
        .boxed()
}

fn conditional(
    test: &BoxedStrategy<String>,
    side: &BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    (test.clone(), side.clone(), side.clone())
        .prop_map(|(test, yes, no)| format!("({test} ? {yes} : {no})"))
        .boxed()
}

fn variables() -> Map<String, Value> {
    let variables = json!({
        "n": 5, "x": 2.5, "b": true, "s": "aü", "l": [1, 2, 3], "i": 7, "j": -7,
    });
    variables.as_object().cloned().unwrap_or_default()
}

fn context() -> Context<'static, 'static> {
    let mut context = Context::default();
    context.add_variable_from_value("n", 5_i64);
    context.add_variable_from_value("x", 2.5);
    context.add_variable_from_value("b", true);
    context.add_variable_from_value("s", "aü");
    context.add_variable_from_value("l", vec![1_i64, 2, 3]);
    context.add_variable_from_value("i", 7_i64);
    context.add_variable_from_value("j", -7_i64);
    context
}

/// Their value as we write it; nothing for what we have not.
fn text(value: &Theirs) -> Option<String> {
    match value {
        Theirs::Null => Some("null".into()),
        Theirs::Bool(bool) => Some(bool.to_string()),
        Theirs::Int(int) => Some(int.to_string()),
        Theirs::UInt(uint) => Some(format!("{uint}u")),
        Theirs::Float(double) if double.is_finite() => {
            evaluate(&format!("{double:?}"), &Map::new()).text
        }
        Theirs::Float(double) if double.is_nan() => Some("double('NaN')".into()),
        Theirs::Float(double) if *double > 0.0 => Some("double('Infinity')".into()),
        Theirs::Float(_) => Some("double('-Infinity')".into()),
        Theirs::String(text) => Some(serde_json::to_string(text.as_str()).ok()?),
        Theirs::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(text).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        _ => None,
    }
}

fn compare(expression: &str) -> Result<(), TestCaseError> {
    let ours = evaluate(expression, &variables());
    prop_assert!(ours.status != EvaluationStatus::Invalid, "{expression}: {:?}", ours.diagnostics);
    let program = Program::compile(expression)
        .map_err(|error| TestCaseError::fail(format!("{expression}: they say {error}")))?;
    let theirs = program.execute(&context());
    let said = match &theirs {
        Ok(value) => {
            let said = text(value);
            prop_assert!(said.is_some(), "{expression}: they say {value:?}");
            said
        }
        Err(_) => None,
    };
    if ours.text == said {
        return Ok(());
    }
    let (ours, missing) = (ours.text, ours.missing);
    Err(TestCaseError::fail(format!(
        "{expression}\n  we say   {ours:?} {missing:?}\n  they say {theirs:?}"
    )))
}

#[test]
fn the_crate_cel_says_the_same() {
    let mut level = Level::leaves();
    for _ in 0..DEPTH {
        level = level.next();
    }
    let Level { int, uint, double, number: _, bool, string, list } = level;
    let expressions =
        prop_oneof![2 => int, 1 => uint, 1 => double, 4 => bool, 1 => string, 2 => list];
    let config = Config { cases: EXPRESSIONS, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let ended = runner.run(&expressions, |expression| compare(&expression));
    assert!(ended.is_ok(), "{}", ended.expect_err("it is checked"));
}
