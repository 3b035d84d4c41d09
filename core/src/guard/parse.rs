//! From text to a syntax tree. Source: the CEL grammar (language definition, "Syntax").

use alloc::{borrow::Cow, format, string::String, vec, vec::Vec};

use super::{
    token::{Kind, Lexer, Span, SyntaxFault, Token},
    tree::{Id, Operator, Syntax, Tree},
};

/// Reads an expression; the second part of the answer is its root.
///
/// Cost: linear in the length of the text. Deeper than `deepest` nodes or brackets is a fault.
pub(super) fn parse(text: &str, deepest: u32) -> Result<(Tree<'_>, Id), SyntaxFault> {
    let mut lexer = Lexer::new(text);
    let token = lexer.next()?;
    let mut parser = Parser { text, lexer, token, tree: Tree::default(), depth: 0, deepest };
    let root = parser.expression()?;
    match parser.token.kind {
        Kind::End => Ok((parser.tree, root)),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    token: Token<'t>,
    tree: Tree<'t>,
    depth: u32,
    deepest: u32,
}

/// Words that CEL keeps for itself; they may name fields and functions, no variables.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Whether a word can name a variable or a guard.
pub(crate) fn is_free_word(word: &str) -> bool {
    !RESERVED.contains(&word) && !matches!(word, "true" | "false" | "null" | "in")
}

fn relation(sign: &str) -> Option<Operator> {
    Some(match sign {
        "==" => Operator::Equal,
        "!=" => Operator::NotEqual,
        "<" => Operator::Less,
        "<=" => Operator::LessOrEqual,
        ">" => Operator::Greater,
        ">=" => Operator::GreaterOrEqual,
        _ => return None,
    })
}

impl<'t> Parser<'t> {
    fn advance(&mut self) -> Result<Token<'t>, SyntaxFault> {
        let next = self.lexer.next()?;
        Ok(core::mem::replace(&mut self.token, next))
    }

    fn sees(&self, sign: &str) -> bool {
        matches!(self.token.kind, Kind::Sign(found) if found == sign)
    }

    fn take(&mut self, sign: &str) -> Result<bool, SyntaxFault> {
        let found = self.sees(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, sign: &str) -> Result<Span, SyntaxFault> {
        if self.sees(sign) {
            return Ok(self.advance()?.span);
        }
        Err(self.unexpected(&format!("`{sign}`")))
    }

    fn unexpected(&self, wanted: &str) -> SyntaxFault {
        let found = self.token.span.of(self.text);
        let message = match self.token.kind {
            Kind::End => format!("the expression ends where {wanted} is needed"),
            _ => format!("`{found}` stands where {wanted} is needed"),
        };
        let before = self.text.get(..self.token.span.start as usize).unwrap_or_default();
        let help = match found {
            _ if before.trim_end().ends_with("not") => "not is `!`",
            "true" | "false" | "null" | "in" if before.trim_end().ends_with('.') => {
                "a field with the name of a word of the language stands in backticks"
            }
            "?" if wanted == "`:`" => "put the inner condition into brackets",
            "and" => "and is `&&`",
            "or" => "or is `||`",
            "not" => "not is `!`",
            "is" => "equality is `==`",
            "?" => "optional values are no part of this language; ask with `has(…)`",
            _ => "mend the expression at this place",
        };
        SyntaxFault { span: self.token.span, message, help: help.into(), is_limit: false }
    }

    fn too_deep(&self, span: Span) -> SyntaxFault {
        SyntaxFault {
            span,
            message: format!(
                "the expression is nested more deeply than the limit `expression_depth`, {}",
                self.deepest
            ),
            help: "give a part of it a name in `guards`, or raise the limit".into(),
            is_limit: true,
        }
    }

    fn add(&mut self, syntax: Syntax<'t>, span: Span, below: &[Id]) -> Result<Id, SyntaxFault> {
        let height = below.iter().map(|&id| self.tree.height(id)).max().unwrap_or(0);
        if height >= self.deepest {
            return Err(self.too_deep(span));
        }
        Ok(self.tree.add(syntax, span, height))
    }

    fn expression(&mut self) -> Result<Id, SyntaxFault> {
        self.depth += 1;
        if self.depth > self.deepest {
            return Err(self.too_deep(self.token.span));
        }
        let mut id = self.any_of()?;
        if self.take("?")? {
            let yes = self.any_of()?;
            self.expect(":")?;
            let no = self.expression()?;
            let span = self.tree.outer(id).to(self.tree.outer(no));
            id = self.add(Syntax::If { condition: id, yes, no }, span, &[id, yes, no])?;
        }
        self.depth -= 1;
        Ok(id)
    }

    /// `a || b || c`: one node, however many there are.
    fn any_of(&mut self) -> Result<Id, SyntaxFault> {
        let first = self.all_of()?;
        if !self.sees("||") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take("||")? {
            parts.push(self.all_of()?);
        }
        self.joined(parts, Syntax::Or)
    }

    fn all_of(&mut self) -> Result<Id, SyntaxFault> {
        let first = self.relations()?;
        if !self.sees("&&") {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take("&&")? {
            parts.push(self.relations()?);
        }
        self.joined(parts, Syntax::And)
    }

    fn joined(
        &mut self,
        parts: Vec<Id>,
        join: fn(Vec<Id>) -> Syntax<'t>,
    ) -> Result<Id, SyntaxFault> {
        let (first, last) = (parts[0], parts[parts.len() - 1]);
        let span = self.tree.outer(first).to(self.tree.outer(last));
        let below = parts.clone();
        self.add(join(parts), span, &below)
    }

    fn binary(&mut self, operator: Operator, left: Id, right: Id) -> Result<Id, SyntaxFault> {
        let span = self.tree.outer(left).to(self.tree.outer(right));
        self.add(Syntax::Binary(operator, left, right), span, &[left, right])
    }

    fn relations(&mut self) -> Result<Id, SyntaxFault> {
        let mut left = self.sums()?;
        loop {
            let operator = match self.token.kind {
                Kind::Sign(sign) => relation(sign),
                Kind::Ident("in") => Some(Operator::In),
                _ => None,
            };
            let Some(operator) = operator else { return Ok(left) };
            self.advance()?;
            let right = self.sums()?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn sums(&mut self) -> Result<Id, SyntaxFault> {
        let mut left = self.products()?;
        loop {
            let operator = match self.token.kind {
                Kind::Sign("+") => Operator::Add,
                Kind::Sign("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.advance()?;
            let right = self.products()?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn products(&mut self) -> Result<Id, SyntaxFault> {
        let mut left = self.unary()?;
        loop {
            let operator = match self.token.kind {
                Kind::Sign("*") => Operator::Multiply,
                Kind::Sign("/") => Operator::Divide,
                Kind::Sign("%") => Operator::Modulo,
                _ => return Ok(left),
            };
            self.advance()?;
            let right = self.unary()?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn unary(&mut self) -> Result<Id, SyntaxFault> {
        let (sign, wrap): (_, fn(Id) -> Syntax<'t>) = match self.token.kind {
            Kind::Sign(sign @ "!") => (sign, Syntax::Not),
            Kind::Sign(sign @ "-") => (sign, Syntax::Negate),
            _ => return self.member(),
        };
        let mut spans = Vec::new();
        while self.sees(sign) {
            spans.push(self.advance()?.span);
        }
        // The minus before a number is a part of it: so the lowest int can be written.
        let mut id = match (&self.token.kind, sign) {
            (Kind::Int(_) | Kind::Double(_), "-") => {
                let minus = spans.pop().unwrap_or(self.token.span);
                let literal = self.literal(Some(minus))?;
                self.members_of(literal)?
            }
            _ => self.member()?,
        };
        while let Some(start) = spans.pop() {
            let span = start.to(self.tree.outer(id));
            id = self.add(wrap(id), span, &[id])?;
        }
        Ok(id)
    }

    fn member(&mut self) -> Result<Id, SyntaxFault> {
        let primary = self.primary()?;
        self.members_of(primary)
    }

    /// Fields, indexes and calls behind a value.
    fn members_of(&mut self, mut of: Id) -> Result<Id, SyntaxFault> {
        loop {
            if self.take(".")? {
                if self.sees("?") {
                    return Err(self.unexpected("the name of a field"));
                }
                let token = self.advance()?;
                let span = self.tree.outer(of).to(token.span);
                of = match token.kind {
                    Kind::Quoted(field) => self.add(Syntax::Select { of, field }, span, &[of])?,
                    Kind::Ident(name) if !matches!(name, "true" | "false" | "null" | "in") => {
                        if self.sees("(") {
                            self.call(Some(of), name, token.span)?
                        } else {
                            self.add(Syntax::Select { of, field: name }, span, &[of])?
                        }
                    }
                    _ => {
                        self.token = token;
                        return Err(self.unexpected("the name of a field"));
                    }
                };
            } else if self.take("[")? {
                let at = self.expression()?;
                let end = self.expect("]")?;
                let span = self.tree.outer(of).to(end);
                of = self.add(Syntax::Index { of, at }, span, &[of, at])?;
            } else if self.sees("{") {
                let help = "messages of protobuf are no part of this language; a map is `{\"key\": value}`";
                let message: String = "`{` stands where an operator or the end is needed".into();
                return Err(SyntaxFault {
                    span: self.token.span,
                    message,
                    help: help.into(),
                    is_limit: false,
                });
            } else {
                return Ok(of);
            }
        }
    }

    fn call(&mut self, of: Option<Id>, name: &'t str, name_span: Span) -> Result<Id, SyntaxFault> {
        self.expect("(")?;
        let (args, end) = self.items(")", false)?;
        let start = of.map_or(name_span, |of| self.tree.outer(of));
        let mut below = args.clone();
        below.extend(of);
        self.add(Syntax::Call { of, name, name_span, args }, start.to(end), &below)
    }

    /// Expressions up to the closing sign, with commas between them.
    fn items(&mut self, close: &str, may_trail: bool) -> Result<(Vec<Id>, Span), SyntaxFault> {
        let mut items = Vec::new();
        while !self.sees(close) {
            items.push(self.expression()?);
            if !self.take(",")? {
                break;
            }
            if !may_trail && self.sees(close) {
                return Err(self.unexpected("a value"));
            }
        }
        let end = self.expect(close)?;
        Ok((items, end))
    }

    fn primary(&mut self) -> Result<Id, SyntaxFault> {
        match self.token.kind {
            Kind::Int(_) | Kind::Uint(_) | Kind::Double(_) | Kind::Text(_) => self.literal(None),
            Kind::Ident(_) => self.name(None),
            Kind::Sign(".") => {
                let dot = self.advance()?.span;
                self.name(Some(dot))
            }
            Kind::Sign("(") => {
                let start = self.advance()?.span;
                let inner = self.expression()?;
                let end = self.expect(")")?;
                self.tree.enclose(inner, start.to(end));
                Ok(inner)
            }
            Kind::Sign("-") => {
                // Behind a `!`; elsewhere the sign has been taken.
                let minus = self.advance()?.span;
                match self.token.kind {
                    Kind::Int(_) | Kind::Double(_) => self.literal(Some(minus)),
                    _ => Err(self.unexpected("a number")),
                }
            }
            Kind::Sign("[") => {
                let start = self.advance()?.span;
                let (items, end) = self.items("]", true)?;
                let below = items.clone();
                self.add(Syntax::List(items), start.to(end), &below)
            }
            Kind::Sign("{") => self.map(),
            Kind::Quoted(_) => {
                let message: String = "a name in backticks is the name of a field".into();
                let help = "put what has the field before it: object.`field name`";
                Err(SyntaxFault {
                    span: self.token.span,
                    message,
                    help: help.into(),
                    is_limit: false,
                })
            }
            Kind::Sign(_) | Kind::End => Err(self.unexpected("a value")),
        }
    }

    fn map(&mut self) -> Result<Id, SyntaxFault> {
        let start = self.advance()?.span;
        let (mut entries, mut below) = (Vec::new(), Vec::new());
        while !self.sees("}") {
            let key = self.expression()?;
            self.expect(":")?;
            let value = self.expression()?;
            entries.push((key, value));
            below.extend([key, value]);
            if !self.take(",")? {
                break;
            }
        }
        let end = self.expect("}")?;
        self.add(Syntax::Map(entries), start.to(end), &below)
    }

    /// A variable, a guard, a literal word, or a function with its arguments.
    fn name(&mut self, dot: Option<Span>) -> Result<Id, SyntaxFault> {
        let Kind::Ident(name) = self.token.kind else {
            return Err(self.unexpected("a name"));
        };
        let name_span = self.token.span;
        let span = dot.map_or(name_span, |dot| dot.to(name_span));
        let literal = match name {
            "true" => Some(Syntax::Bool(true)),
            "false" => Some(Syntax::Bool(false)),
            "null" => Some(Syntax::Null),
            _ => None,
        };
        if let Some(literal) = literal {
            if dot.is_some() {
                return Err(self.unexpected("a name"));
            }
            self.advance()?;
            return self.add(literal, span, &[]);
        }
        if name == "in" {
            return Err(self.unexpected("a value"));
        }
        if RESERVED.contains(&name) {
            let message = format!("`{name}` is a word that CEL keeps for itself");
            let help = "use another name; as a field it may stand behind a dot: `object.package`";
            return Err(SyntaxFault { span, message, help: Cow::Borrowed(help), is_limit: false });
        }
        self.advance()?;
        if self.sees("(") {
            return self.call(None, name, span);
        }
        self.add(Syntax::Name { name, from_root: dot.is_some() }, span, &[])
    }

    fn literal(&mut self, minus: Option<Span>) -> Result<Id, SyntaxFault> {
        let token = self.advance()?;
        let span = minus.map_or(token.span, |minus| minus.to(token.span));
        let syntax = match token.kind {
            Kind::Int(value) => {
                let signed = match minus {
                    Some(_) => 0_i64.checked_sub_unsigned(value),
                    None => i64::try_from(value).ok(),
                };
                let Some(signed) = signed else {
                    let help =
                        "whole numbers have 64 bits; write a uint (`…u`) or a double (`1e20`)";
                    let message: String = "this number is too large".into();
                    return Err(SyntaxFault { span, message, help: help.into(), is_limit: false });
                };
                Syntax::Int(signed)
            }
            Kind::Uint(value) => Syntax::Uint(value),
            Kind::Double(value) => Syntax::Double(if minus.is_some() { -value } else { value }),
            Kind::Text(text) => Syntax::Text(text),
            _ => Syntax::Null,
        };
        self.add(syntax, span, &[])
    }
}
