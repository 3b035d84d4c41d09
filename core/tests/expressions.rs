//! No text and no data makes an expression panic, hang or leave a small stack; and what holds for each of them.
//!
//! Texts are drawn from the tokens of the language, from its grammar, and from the second with faults made in
//! them. The seed is fixed: what fails once fails again.

use std::thread;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use veristate::{
    AvailableOptions, Context, Decision, Evaluation, EvaluationStatus, Expression, GuardStatus,
    Limits, Machine, NewObject, ReasonCode, Request, Snapshot, Status, check, evaluate,
};

/// Frames of a build without optimisation are several times as large.
const STACK: usize = if cfg!(debug_assertions) { 4 << 20 } else { 1 << 20 };

/// Proves that recursion is bounded.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK).spawn(test).expect("it can start");
    thread.join().expect("nothing panics");
}

/// Xorshift: the same throws in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let sides = u64::try_from(sides).unwrap_or(u64::MAX);
        usize::try_from((self.0 >> 11) % sides).unwrap_or_default()
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const TOKENS: [&str; 96] = [
    "object",
    "ctx",
    "states",
    "named",
    "is_open",
    "a",
    "b",
    "list",
    "x",
    "y",
    "true",
    "false",
    "null",
    "in",
    "has",
    "all",
    "exists",
    "exists_one",
    "map",
    "filter",
    "size",
    "contains",
    "startsWith",
    "matches",
    "int",
    "uint",
    "double",
    "string",
    "bool",
    "timestamp",
    "duration",
    "dyn",
    "getHours",
    "getDayOfWeek",
    "config",
    "permissions",
    "actor_id",
    "if",
    "package",
    "f",
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    ".",
    ",",
    ",",
    ":",
    "?",
    "!",
    "-",
    "+",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "=",
    "&",
    "|",
    "0",
    "1",
    "2u",
    "0.5",
    "9223372036854775807",
    "1e308",
    "0x",
    ".5",
    "''",
    "'a'",
    "\"b\"",
    "r'\\d+'",
    "'''",
    "'\\u00e9'",
    "'\\x",
    "'2026-01-01T00:00:00Z'",
    "'-1.5h'",
    "`a-b`",
    "`",
    "// c\n",
    "é",
    "🎉",
    "\u{0}",
];

fn soup(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(24) {
        text.push_str(dice.pick(&TOKENS));
        text.push_str(dice.pick(&[" ", "", " ", "\n"]));
    }
    text
}

/// A text of the grammar; most of them have a meaning.
fn grown(dice: &mut Dice, depth: usize) -> String {
    const LEAVES: [&str; 24] = [
        "object.a",
        "object.b",
        "object.list",
        "object.map.k",
        "object['é']",
        "object.`a-b`",
        "object",
        "ctx.timestamp",
        "ctx.actor_id",
        "ctx.permissions",
        "ctx.config.limit",
        "states",
        "named",
        "x",
        "true",
        "false",
        "null",
        "1",
        "2u",
        "0.5",
        "'a'",
        "[1, 2, 'a']",
        "{'k': 1}",
        "duration('1h')",
    ];
    const JOINS: [&str; 16] =
        ["&&", "||", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%"];
    const CALLS: [&str; 10] =
        ["size", "int", "uint", "double", "string", "bool", "timestamp", "duration", "dyn", "!"];
    const MEMBERS: [&str; 6] =
        ["contains", "startsWith", "endsWith", "matches", "getHours", "size"];
    const LOOPS: [&str; 5] = ["all", "exists", "exists_one", "map", "filter"];
    if depth == 0 {
        return dice.pick(&LEAVES).into();
    }
    let a = grown(dice, depth - 1);
    let other = dice.below(depth);
    let b = grown(dice, other);
    match dice.below(12) {
        0..5 => format!("({a} {} {b})", dice.pick(&JOINS)),
        5 => format!("{}({a})", dice.pick(&CALLS)),
        6 => format!("({a}).{}({b})", dice.pick(&MEMBERS)),
        7 | 8 => format!("({a}).{}(x, {b})", dice.pick(&LOOPS)),
        9 => format!("({a} ? {b} : {})", dice.pick(&LEAVES)),
        10 => format!("({a})[{b}]"),
        _ => format!("[{a}, {b}]"),
    }
}

/// A text that is true or false of some data, and makes a guard.
fn condition(dice: &mut Dice, depth: usize) -> String {
    const LEAVES: [&str; 20] = [
        "object.a",
        "object.b > 1",
        "object.a == 'a'",
        "has(object.a)",
        "has(object.map.k)",
        "'a' in object.list",
        "object.k in [1, 'a', 2.5]",
        "named",
        "is_open",
        "'s' in states",
        "'a' in ctx.permissions",
        "object.list.all(x, x != object.b)",
        "object.list.exists(x, x.a)",
        "object.map.exists(x, x == 'a')",
        "ctx.config.limit <= object.a",
        "timestamp(object.a) < ctx.timestamp",
        "object.a.matches('^a+$')",
        "object.list[0] == object.map[object.b]",
        "size(object.list) + object.b > 2",
        "true",
    ];
    if depth == 0 {
        return dice.pick(&LEAVES).into();
    }
    let (a, b) = (condition(dice, depth - 1), condition(dice, depth - 1));
    match dice.below(7) {
        0 | 1 => format!("({a} && {b})"),
        2 | 3 => format!("({a} || {b})"),
        4 => format!("!({a})"),
        5 => format!("({a} ? {b} : !object.a)"),
        _ => {
            format!("object.list.{}(y, {a} && y != 1)", dice.pick(&["all", "exists", "exists_one"]))
        }
    }
}

/// Takes characters out, puts tokens in, and doubles pieces.
fn mutated(dice: &mut Dice, text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(3) {
        let at = dice.below(chars.len() + 1);
        let end = (at + 1 + dice.below(4)).min(chars.len());
        let with: Vec<char> = match dice.below(3) {
            0 => Vec::new(),
            1 => dice.pick(&TOKENS).chars().collect(),
            _ => [&chars[at..end], &chars[at..end]].concat(),
        };
        chars.splice(at..end, with);
    }
    chars.into_iter().collect()
}

const KEYS: [&str; 8] = ["a", "b", "list", "map", "k", "é", "a-b", "__proto__"];

fn data(dice: &mut Dice, depth: usize) -> Value {
    let inner = depth.saturating_sub(1);
    match dice.below(if depth == 0 { 10 } else { 14 }) {
        0 => Value::Null,
        1 => json!(dice.below(2) == 0),
        2 => json!(dice.below(5)),
        3 => json!(dice.pick(&[0.5, -0.0, 1e300, 2.0, 5e-324, 9_007_199_254_740_993.0])),
        4 => json!(dice.pick(&[i64::MIN, i64::MAX, -1, 0])),
        5 => json!(u64::MAX),
        6..10 => {
            json!(dice.pick(&["", "a", "é🎉", "2026-01-01T00:00:00Z", "90m", "^a+$", "(", "12"]))
        }
        10 | 11 => (0..dice.below(4)).map(|_| data(dice, inner)).collect(),
        _ => object(dice, inner),
    }
}

fn object(dice: &mut Dice, depth: usize) -> Value {
    let fields = (0..dice.below(6)).map(|_| (dice.pick(&KEYS).into(), data(dice, depth)));
    Value::Object(fields.collect())
}

/// As deep as it can be stored, or as wide as a page.
fn extreme(dice: &mut Dice) -> Value {
    let wide = (0..2000).map(|n| json!(n)).collect::<Value>();
    let deep = (0..58).fold(json!(1), |inner, _| json!({ "a": [inner] }));
    let long = json!("é".repeat(20_000));
    match dice.below(3) {
        0 => json!({ "a": deep, "b": deep }),
        1 => json!({ "list": wide, "a": wide, "b": 5 }),
        _ => json!({ "a": long, "b": long, "list": [long] }),
    }
}

fn limits(dice: &mut Dice) -> Limits {
    Limits {
        expression_bytes: dice.pick(&[0, 10, 4096, 4096, 4096, usize::MAX]),
        expression_depth: dice.pick(&[0, 1, 5, 100, 100, 120, usize::MAX]),
        evaluation_steps: dice.pick(&[0, 1, 20, 2000, 20_000, 200_000]),
        ..Limits::default()
    }
}

fn context() -> Context {
    Context {
        actor_id: Some("ada".into()),
        timestamp: "2026-01-05T09:00:00Z".parse().ok(),
        permissions: vec!["a".into()],
        ..Context::default()
    }
}

/// The text as a guard, as a named one and as an entry condition of three transitions.
fn definition(text: &str) -> String {
    json!({
        "object_type": "Thing", "initial_state": "s",
        "states": [
            { "name": "s" },
            { "name": "v1.2", "entry_conditions": [{ "name": "c", "require": text }] },
            { "name": "z", "is_terminal": true },
        ],
        "transitions": [
            { "name": "plain", "from_state": "s", "to_state": "z", "action": "plain", "guard": text },
            { "name": "named", "from_state": "s", "to_state": "z", "action": "named", "guard": "named" },
            { "name": "twice", "from_state": "s", "to_state": "z", "action": "twice", "guard": "!named || other" },
            { "name": "twice else", "from_state": "s", "action": "twice" },
            { "name": "enter", "from_state": "s", "to_state": "v1.2", "action": "enter" },
            { "name": "leave", "from_state": "v1.2", "to_state": "z", "action": "leave" },
        ],
        "guards": { "other": text, "named": text.replace("named", "is_open") },
    })
    .to_string()
}

fn started(machine: &Machine, object: Value) -> Option<Snapshot> {
    let new = NewObject { object, ..NewObject::named("o") };
    match machine.start(&new, &context(), &Request::default()) {
        Ok(Decision::Accepted(plan)) => Some(plan.snapshot),
        // Data that is nested too deeply to be stored.
        Err(_) => None,
        Ok(other) => panic!("nothing hinders a creation: {other:?}"),
    }
}

/// All that can be asked about the text; every answer twice, and all of them of one mind.
fn ask(text: &str, object: &Value, limits: &Limits) {
    let Value::Object(variables) =
        json!({ "object": object, "x": object, "ctx": {}, "named": true })
    else {
        unreachable!("it is an object")
    };
    if let Ok(expression) = Expression::new_within(text, limits) {
        let answer = expression.evaluate(&variables);
        assert_eq!(answer, expression.evaluate(&variables), "{text}");
        coherent(text, &answer, limits);
    }
    let definition = definition(text);
    let found = check(&definition, limits);
    assert_eq!(found, check(&definition, limits), "{text}");
    for found in &found {
        let length = definition.chars().count();
        let column = found.column.and_then(|column| usize::try_from(column).ok());
        assert!(column.is_some_and(|column| column <= length), "{text}: {found:?}");
    }
    if let Ok(mut machine) = Machine::from_json_within(&definition, limits)
        && let Some(snapshot) = started(&machine, object.clone())
    {
        agree(&machine, &snapshot, text);
        let says = |object: &Value, _: &Context, _: &[String]| {
            object.get("b").and_then(Value::as_bool).ok_or_else(|| "there is no answer".into())
        };
        if machine.register_guard("is_open", says).is_ok() {
            agree(&machine, &snapshot, text);
        }
    }
}

fn coherent(text: &str, answer: &Evaluation, limits: &Limits) {
    let is_unknown = answer.status == EvaluationStatus::Unknown;
    assert_eq!(is_unknown, !answer.missing.is_empty(), "{text}: {answer:?}");
    assert_eq!(is_unknown, answer.text.is_none(), "{text}: {answer:?}");
    assert!(answer.missing.len() <= 16 && answer.values.len() <= 32, "{text}");
    if let Some(written) =
        answer.text.as_deref().filter(|text| text.len() <= limits.expression_bytes)
        && let Ok(again) = Expression::new(written)
        && limits.evaluation_steps >= 200_000
    {
        let again = again.evaluate(&Map::new());
        assert_eq!((again.text.as_deref(), &again.value), (Some(written), &answer.value), "{text}");
    }
}

fn agree(machine: &Machine, snapshot: &Snapshot, text: &str) {
    let (ctx, options) = (context(), AvailableOptions::default());
    let rows = machine.available(snapshot, &ctx, &options).expect("it belongs here");
    assert_eq!(Ok(&rows), machine.available(snapshot, &ctx, &options).as_ref(), "{text}");
    let guards = machine.guards(snapshot, &ctx, &Request::default()).expect("it belongs here");
    let mut instance = machine.instance(snapshot.clone()).expect("it belongs here");
    instance.set_context(ctx.clone());
    for row in &rows {
        let decision = machine.decide(snapshot, &row.action, &ctx, &Request::default());
        let status = match decision.expect("it belongs here, and there is a time") {
            Decision::Accepted(_) => Status::Enabled,
            Decision::Refused(refused) => match refused.code {
                ReasonCode::GuardUnknown
                | ReasonCode::GuardNotRegistered
                | ReasonCode::EntryConditionUnknown => Status::Unknown,
                _ => Status::Disabled,
            },
            Decision::AlreadyApplied(_) => panic!("there is no request"),
        };
        assert_eq!(row.status, status, "{}: {text}", row.action);
        let can = machine.can(snapshot, &row.action, &ctx);
        assert_eq!(can, Ok(status == Status::Enabled), "{}: {text}", row.action);
        let action = machine.action_id(&row.action).expect("it is an action of this machine");
        assert_eq!(instance.can(action), status == Status::Enabled, "{}: {text}", row.action);
        let said = guards.iter().find(|said| said.transition == row.action);
        let said = said.map(|said| match said.status {
            GuardStatus::True => Status::Enabled,
            GuardStatus::False => Status::Disabled,
            GuardStatus::Unknown => Status::Unknown,
        });
        // `twice` has a second way.
        assert!(row.action == "twice" || said == Some(status), "{}: {text}", row.action);
    }
    let places: Vec<String> = machine.inputs().into_iter().map(|input| input.path).collect();
    assert!(places.iter().all(|path| path.starts_with("object") || path.starts_with("ctx")));
    let tried = machine.evaluate(text, snapshot, &ctx).expect("it belongs here");
    assert_eq!(Ok(&tried), machine.evaluate(text, snapshot, &ctx).as_ref(), "{text}");
}

#[test]
fn no_soup_of_tokens_is_too_much() {
    on_a_small_stack(|| {
        let mut dice = Dice(0x5eed_0001);
        for _ in 0..6000 {
            let (text, limits) = (soup(&mut dice), limits(&mut dice));
            ask(&text, &object(&mut dice, 3), &limits);
        }
    });
}

#[test]
fn no_expression_and_no_fault_in_one_is_too_much() {
    on_a_small_stack(|| {
        let mut dice = Dice(0x5eed_0002);
        for round in 0..1500 {
            let depth = 1 + dice.below(4);
            let text = grown(&mut dice, depth);
            let mut limits = limits(&mut dice);
            if round % 25 != 0 && round % 10 == 1 {
                limits.evaluation_steps = usize::MAX;
            }
            let object = match round % 25 {
                0 => extreme(&mut dice),
                _ => object(&mut dice, 3),
            };
            ask(&text, &object, &limits);
            ask(&mutated(&mut dice, &text), &object, &limits);
            let depth = dice.below(4);
            ask(&condition(&mut dice, depth), &object, &limits);
        }
    });
}

/// Each way to nest, closed and not, up to the longest text: refused, or answered.
#[test]
fn no_nesting_is_too_deep() {
    const NESTS: [(&str, &str); 24] = [
        ("(", ")"),
        ("[", "]"),
        ("{1: ", "}"),
        ("!", ""),
        ("-", ""),
        ("!(", ")"),
        ("-(", ")"),
        ("true ? ", ": 1"),
        ("(true ? ", ": 1)"),
        ("true ? 1 : ", ""),
        ("1 + ", ""),
        ("1 + (", ")"),
        ("true && ", ""),
        ("true && (", ")"),
        ("true || false && (", ")"),
        ("x[", "]"),
        ("object.a[", "]"),
        ("dyn(", ")"),
        ("size(", ")"),
        ("[1].all(x, ", ")"),
        ("[1].map(x, ", ")"),
        ("object.list.exists(x, ", ")"),
        ("object == ", ""),
        ("f(", ")"),
    ];
    const TAILS: [&str; 6] = [".a", "[0]", ".size()", " + 1", " == object", " && object.a"];
    on_a_small_stack(|| {
        let object = json!({ "a": true, "list": [1] });
        for depth in [100, 120] {
            let limits = Limits { expression_depth: depth, ..Limits::default() };
            for (open, close) in NESTS {
                for count in [depth / 4, depth / 2 - 1, depth - 2, depth, 4096] {
                    let count = count.min(4096 / (open.len() + close.len()) - 2);
                    let text = format!("{}true{}", open.repeat(count), close.repeat(count));
                    ask(&text, &object, &limits);
                    ask(&open.repeat(count), &object, &limits);
                }
            }
            for tail in TAILS {
                for count in [depth - 2, depth, 4000 / tail.len()] {
                    ask(&format!("object{}", tail.repeat(count)), &object, &limits);
                }
            }
        }
    });
}

/// Guards that name each other, as deep as they may be, asked from an expression that is as deep.
#[test]
fn no_chain_of_names_is_too_deep() {
    on_a_small_stack(|| {
        for depth in [100_usize, 120] {
            let limits = Limits { expression_depth: depth, ..Limits::default() };
            let chain = |length: usize| {
                let link = |at: usize| (format!("g{at}"), json!(format!("!g{}", at + 1)));
                let mut guards: Map<String, Value> = (0..length).map(link).collect();
                guards.insert(format!("g{length}"), json!("object.a"));
                json!({
                    "object_type": "Thing", "initial_state": "s",
                    "states": [{ "name": "s" }, { "name": "z", "is_terminal": true }],
                    "transitions": [{ "name": "t", "from_state": "s", "to_state": "z", "action": "t", "guard": "g0" }],
                    "guards": guards,
                })
                .to_string()
            };
            // Each link is two levels deep, the last guard two.
            let longest = depth / 2 - 1;
            assert!(check(&chain(longest + 1), &limits).len() == 1);
            assert!(check(&chain(5000), &limits).len() == 1);
            let machine =
                Machine::from_json_within(&chain(longest), &limits).expect("it is not too deep");
            let snapshot = started(&machine, json!({ "a": true })).expect("it is shallow");
            assert_eq!(machine.can(&snapshot, "t", &context()), Ok(longest % 2 == 0));
            let text = format!("{}g0", "!".repeat(depth - 1));
            let tried = machine.evaluate(&text, &snapshot, &context()).expect("it belongs here");
            assert!(tried.status != EvaluationStatus::Value, "{tried:?}");
        }
    });
}

/// What a part says of three possible answers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Three {
    True,
    False,
    Unknown,
}

fn says(text: &str, variables: &Map<String, Value>) -> Option<Three> {
    match evaluate(text, variables).status {
        EvaluationStatus::True => Some(Three::True),
        EvaluationStatus::False => Some(Three::False),
        EvaluationStatus::Unknown => Some(Three::Unknown),
        EvaluationStatus::Value | EvaluationStatus::Invalid => None,
    }
}

/// A text of the grammar, and data.
fn throws() -> impl Strategy<Value = (String, String, Map<String, Value>)> {
    any::<u64>().prop_map(|seed| {
        let mut dice = Dice(seed | 1);
        let mut text = || {
            let depth = dice.below(3);
            let text = grown(&mut dice, depth);
            match dice.below(3) {
                0 => text,
                1 => format!("({text}) == object.b"),
                _ => format!("({text}) > 1"),
            }
        };
        let (a, b) = (text(), text());
        let variables = json!({ "object": object(&mut dice, 2), "x": data(&mut dice, 1), "ctx": { "permissions": ["a"] } });
        let Value::Object(variables) = variables else { unreachable!("it is an object") };
        (a, b, variables)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_order_of_sides_does_not_matter((a, b, variables) in throws()) {
        let (Some(is_a), Some(is_b)) = (says(&a, &variables), says(&b, &variables)) else { return Ok(()) };
        let both = match (is_a, is_b) {
            (Three::False, _) | (_, Three::False) => Three::False,
            (Three::True, Three::True) => Three::True,
            _ => Three::Unknown,
        };
        let one = match (is_a, is_b) {
            (Three::True, _) | (_, Three::True) => Three::True,
            (Three::False, Three::False) => Three::False,
            _ => Three::Unknown,
        };
        let not = |three| match three {
            Three::True => Three::False,
            Three::False => Three::True,
            Three::Unknown => Three::Unknown,
        };
        for (text, expected) in [
            (format!("({a}) && ({b})"), both),
            (format!("({b}) && ({a})"), both),
            (format!("({a}) || ({b})"), one),
            (format!("({b}) || ({a})"), one),
            (format!("!({a})"), not(is_a)),
            (format!("!(({a}) && ({b}))"), not(both)),
            (format!("!({a}) || !({b})"), not(both)),
            (format!("!(({a}) || ({b}))"), not(one)),
            (format!("!({a}) && !({b})"), not(one)),
            (format!("({a}) ? ({b}) : ({b})"), if is_a == Three::Unknown { is_a } else { is_b }),
            (format!("[1].all(z, {a})"), is_a),
            (format!("[1, 2].exists(z, z == 2 ? ({a}) : ({b}))"), one),
        ] {
            prop_assert_eq!(says(&text, &variables), Some(expected), "{}", text);
        }
    }

    #[test]
    fn a_field_less_never_turns_an_answer((a, b, mut variables) in throws(), field in prop::sample::select(&KEYS[..])) {
        // An object as a whole, and whether something is there, may be compared.
        let text = format!("({a}) && ({b})");
        let reads_a_whole = ["object)", "object ", "object,", "object]", "x"].iter().any(|whole| format!("{text} ").contains(whole));
        if reads_a_whole {
            return Ok(());
        }
        let before = says(&text, &variables);
        if let Some(Value::Object(object)) = variables.get_mut("object") {
            object.remove(field);
        }
        let after = says(&text, &variables);
        let turned = matches!((before, after), (Some(Three::True), Some(Three::False)) | (Some(Three::False), Some(Three::True)));
        prop_assert!(!turned, "{text}: {before:?}, then {after:?}");
        // What was unknown for another reason may not become decided by it, either.
        prop_assert!(before != Some(Three::Unknown) || after == before, "{text}: {after:?}");
    }

    #[test]
    fn the_text_of_a_value_is_the_value((a, b, variables) in throws()) {
        for text in [a, b] {
            let answer = evaluate(&text, &variables);
            prop_assert_eq!(&answer, &evaluate(&text, &variables));
            let Some(written) = &answer.text else { continue };
            let again = evaluate(written, &Map::new());
            let same = (again.type_name, &again.value, again.text.as_ref());
            prop_assert_eq!(same, (answer.type_name, &answer.value, Some(written)), "{}", text);
        }
    }
}
