//! From XML to a chart: which elements and attributes there are, and which have no counterpart.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use roxmltree::{Attribute, Node as Element};

use super::{
    OURS, SCXML,
    chart::{Arrow, Chart, Node, NodeKind, Placed, Targets},
};
use crate::{
    definition::Kind,
    interchange::finding::{Findings, ImportCode},
    limits::Limits,
    name::{did_you_mean, fault},
};

/// What editors of others write about the drawing; no part of the behaviour.
const DRAWING: [&str; 1] = ["http://www.qt.io/2015/02/scxml-ext"];

/// The elements of SCXML, for suggestions.
const ELEMENTS: [&str; 8] =
    ["state", "parallel", "final", "history", "transition", "initial", "onentry", "onexit"];

/// Reads the outermost element and all that is in it.
pub(super) fn read<'d>(
    root: Element<'d, '_>,
    limits: &Limits,
    findings: &mut Findings<'_>,
) -> Option<Chart<'d>> {
    let name = root.tag_name();
    if name.name() != "scxml" || name.namespace().is_some_and(|space| space != SCXML) {
        let message = format!("the document is `<{}>`, not `<scxml>` of `{SCXML}`", name.name());
        findings.add(
            root.range().start,
            ImportCode::NotScxml,
            message,
            "hand over an SCXML document",
        );
        return None;
    }
    let chart = Chart { nodes: Vec::new(), ..Chart::default() };
    let mut reader = Reader { chart, findings, limits, space: name.namespace(), transitions: 0 };
    reader.root(root);
    Some(reader.chart)
}

struct Reader<'d, 'f, 't> {
    chart: Chart<'d>,
    findings: &'f mut Findings<'t>,
    limits: &'f Limits,
    /// The namespace of SCXML; nothing where the document declares none.
    space: Option<&'d str>,
    transitions: usize,
}

/// The attributes of an element that are for us.
struct Attributes<'d> {
    plain: Vec<(&'d str, Placed<'d>)>,
    ours: Vec<(&'d str, Placed<'d>)>,
}

impl<'d> Attributes<'d> {
    fn get(&self, name: &str) -> Option<Placed<'d>> {
        self.plain.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn our(&self, name: &str) -> Option<Placed<'d>> {
        self.ours.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn our_text(&self, name: &str) -> Option<&'d str> {
        self.our(name).map(|value| value.text)
    }
}

impl<'d> Reader<'d, '_, '_> {
    fn root(&mut self, element: Element<'d, '_>) {
        let attributes = self.attributes(
            element,
            &["initial", "name", "version", "datamodel", "binding"],
            &["name", "version", "history_enabled"],
        );
        if let Some(version) = attributes.get("version").filter(|version| version.text != "1.0") {
            self.invalid(version.at, "version", version.text, "there is only `1.0`");
        }
        self.chart.is_cel = attributes.get("datamodel").is_some_and(|model| model.text == "cel");
        if let Some(version) = attributes.our("version") {
            self.chart.version = version.text.parse().ok();
            if self.chart.version.is_none() {
                self.invalid(version.at, "version", version.text, "write a whole number");
            }
        }
        if let Some(enabled) = attributes.our("history_enabled") {
            self.chart.history_disabled = enabled.text == "false";
            if !matches!(enabled.text, "true" | "false") {
                self.invalid(
                    enabled.at,
                    "history_enabled",
                    enabled.text,
                    "write `true` or `false`",
                );
            }
        }
        let name = attributes.our("name").or_else(|| attributes.get("name"));
        if let Some(name) = name {
            self.legal(name, "the name of the document");
        }
        let node = Node {
            kind: NodeKind::Root,
            at: element.range().start,
            name: name.map(|name| name.text),
            initial: attributes.get("initial").map(|initial| self.targets(initial)),
            ..Node::default()
        };
        self.chart.nodes.push(node);
        self.inside(element, 0);
    }

    fn inside(&mut self, element: Element<'d, '_>, owner: usize) {
        let kind = self.chart.nodes[owner].kind;
        let holds_states = matches!(kind, NodeKind::Root | NodeKind::State | NodeKind::Parallel);
        for child in self.children(element) {
            let at = child.range().start;
            if child.tag_name().namespace() == Some(OURS) {
                match child.tag_name().name() {
                    "guard" if matches!(kind, NodeKind::Root | NodeKind::State) => {
                        self.guard(child, owner);
                    }
                    name => self.unknown(at, name),
                }
                continue;
            }
            let name = child.tag_name().name();
            let state = match name {
                "state" if holds_states => Some(NodeKind::State),
                "parallel" if holds_states => Some(NodeKind::Parallel),
                "final" if matches!(kind, NodeKind::Root | NodeKind::State) => {
                    Some(NodeKind::Final)
                }
                // Deep where its attribute says so.
                "history" if matches!(kind, NodeKind::State | NodeKind::Parallel) => {
                    Some(NodeKind::Shallow)
                }
                _ => None,
            };
            if let Some(state) = state {
                if self.chart.nodes.len() > self.limits.states {
                    let limit = self.limits.states;
                    let message =
                        format!("the document has more states than the limit `states`, {limit}");
                    let help = "split the document, or raise the limit `states`";
                    self.findings.add(at, ImportCode::LimitExceeded, message, help);
                    return;
                }
                self.state(child, owner, state);
                continue;
            }
            match name {
                "transition" if kind.is_history() => self.default_of(child, owner),
                "transition" if matches!(kind, NodeKind::State | NodeKind::Parallel) => {
                    self.transition(child, owner);
                }
                "initial" if kind == NodeKind::State => self.initial(child, owner),
                "onentry" | "onexit" if !matches!(kind, NodeKind::Root) && !kind.is_history() => {
                    self.code_in(child);
                }
                "datamodel" if holds_states => self.datamodel(child),
                "script" if kind == NodeKind::Root => self.code(child),
                "invoke" if matches!(kind, NodeKind::State | NodeKind::Parallel) => {
                    let message =
                        "`<invoke>` starts a service with a state, which has no counterpart here";
                    let help = "remove it, let the host start the service when it reads the record of the \
                                step, and send its answer as an action";
                    self.findings.add(at, ImportCode::Invocation, message, help);
                }
                "donedata" if kind == NodeKind::Final => {
                    let message = "`<donedata>` hands on data, which has no counterpart here";
                    let help = "remove it; data are in the object";
                    self.findings.add(at, ImportCode::DataModel, message, help);
                }
                _ => self.misplaced(at, name, kind.element()),
            }
        }
    }

    fn state(&mut self, element: Element<'d, '_>, parent: usize, mut kind: NodeKind) {
        let at = element.range().start;
        let attributes = self.attributes(
            element,
            match kind {
                NodeKind::State => &["id", "initial"],
                NodeKind::Shallow => &["id", "type"],
                _ => &["id"],
            },
            &["name", "display_name", "description", "kind", "object_type"],
        );
        let id = attributes.get("id");
        if let Some(id) = id {
            self.legal(id, "an id");
            if id.text.contains(|c: char| c.is_ascii_whitespace()) {
                let message = format!("the id `{}` has a space in it", id.text);
                let help = "ids are listed with spaces between them: write `_` instead";
                self.findings.add(id.at, ImportCode::InvalidName, message, help);
            }
        }
        if let Some(name) = attributes.our("name") {
            self.legal(name, "a name");
        }
        if let Some(depth) = attributes.get("type") {
            match depth.text {
                "shallow" => {}
                "deep" => kind = NodeKind::Deep,
                text => self.invalid(depth.at, "type", text, "write `shallow` or `deep`"),
            }
        }
        let condition = match attributes.our("kind") {
            None => Kind::Stable,
            Some(word) => match word.text {
                "stable" => Kind::Stable,
                "transitional" => Kind::Transitional,
                "faulty" => Kind::Faulty,
                text => {
                    let help = "write `stable`, `transitional` or `faulty`";
                    self.invalid(word.at, "kind", text, help);
                    Kind::Stable
                }
            },
        };
        let initial = attributes.get("initial").map(|initial| self.targets(initial));
        let node = Node {
            kind,
            at,
            parent,
            id: id.map(|id| id.text.to_string()).unwrap_or_default(),
            name: attributes.our_text("name"),
            display_name: attributes.our_text("display_name"),
            description: attributes.our_text("description"),
            condition,
            object_type: attributes.our_text("object_type"),
            initial,
            ..Node::default()
        };
        let index = self.chart.nodes.len();
        self.chart.nodes.push(node);
        self.chart.nodes[parent].children.push(index);
        self.inside(element, index);
    }

    fn transition(&mut self, element: Element<'d, '_>, owner: usize) {
        let at = element.range().start;
        if self.transitions == self.limits.transitions {
            let limit = self.limits.transitions;
            let message =
                format!("the document has more transitions than the limit `transitions`, {limit}");
            let help = "split the document, or raise the limit `transitions`";
            self.findings.add(at, ImportCode::LimitExceeded, message, help);
        }
        self.transitions += 1;
        if self.transitions > self.limits.transitions {
            return;
        }
        let attributes = self.attributes(
            element,
            &["event", "cond", "target", "type"],
            &["name", "action", "display_name"],
        );
        for name in ["name", "action"] {
            if let Some(name) = attributes.our(name) {
                self.legal(name, "a name");
            }
        }
        let is_internal = match attributes.get("type") {
            None => false,
            Some(word) => {
                if !matches!(word.text, "internal" | "external") {
                    self.invalid(word.at, "type", word.text, "write `external` or `internal`");
                }
                word.text == "internal"
            }
        };
        let arrow = Arrow {
            at,
            event: attributes.get("event"),
            targets: attributes.get("target").map(|targets| self.targets(targets)),
            is_internal,
            condition: attributes.get("cond"),
            name: attributes.our_text("name"),
            display_name: attributes.our_text("display_name"),
            action: attributes.our("action"),
        };
        self.chart.nodes[owner].arrows.push(arrow);
        self.code_in(element);
    }

    /// `<initial>` of a state.
    fn initial(&mut self, element: Element<'d, '_>, owner: usize) {
        let at = element.range().start;
        self.attributes(element, &[], &[]);
        if self.chart.nodes[owner].initial.is_some() {
            let message = "it is said twice where the state begins";
            let help = "keep either the attribute `initial` or one element `<initial>`";
            self.findings.add(at, ImportCode::MisplacedElement, message, help);
        }
        let mut found = None;
        for child in self.children(element) {
            match child.tag_name().name() {
                "transition" if found.is_none() => found = Some(child),
                name => self.misplaced(child.range().start, name, "initial"),
            }
        }
        match found {
            Some(child) => self.default_of(child, owner),
            None => self.missing(at, "initial", "<transition target=\"…\"/>"),
        }
    }

    /// The `<transition>` in `<initial>` and in `<history>`: a target and nothing else.
    fn default_of(&mut self, element: Element<'d, '_>, owner: usize) {
        let at = element.range().start;
        let attributes = self.attributes(element, &["target", "type"], &[]);
        let node = &self.chart.nodes[owner];
        if node.kind.is_history() && node.initial.is_some() {
            self.misplaced(at, "transition", "history");
        }
        match attributes.get("target") {
            Some(target) => {
                let targets = self.targets(target);
                self.chart.nodes[owner].initial = Some(targets);
            }
            None => self.missing(at, "transition", "attribute `target`"),
        }
        self.code_in(element);
    }

    /// A named guard, which an export of ours keeps in an element of its own.
    fn guard(&mut self, element: Element<'d, '_>, owner: usize) {
        let at = element.range().start;
        let attributes = self.attributes(element, &["name", "require"], &[]);
        for child in self.children(element) {
            self.misplaced(child.range().start, child.tag_name().name(), "guard");
        }
        let (Some(name), Some(require)) = (attributes.get("name"), attributes.get("require"))
        else {
            return self.missing(at, "guard", "attributes `name` and `require`");
        };
        self.legal(name, "the name of a guard");
        let guards = &mut self.chart.nodes[owner].guards;
        if guards.insert(name.text.into(), require.text.into()).is_some() {
            let message = format!("the guard `{}` is there twice", name.text);
            self.findings.add(at, ImportCode::DuplicateId, message, "rename or remove one of them");
        }
    }

    fn datamodel(&mut self, element: Element<'d, '_>) {
        self.attributes(element, &[], &[]);
        for child in self.children(element) {
            let message = format!("`<{}>` keeps data inside the machine", child.tag_name().name());
            let help =
                "remove it; keep the data in the object, and read them in guards (`object.x`)";
            self.findings.add(child.range().start, ImportCode::DataModel, message, help);
        }
    }

    /// Everything in this element is code.
    fn code_in(&mut self, element: Element<'d, '_>) {
        for child in self.children(element) {
            self.code(child);
        }
    }

    fn code(&mut self, element: Element<'d, '_>) {
        let message = format!(
            "`<{}>` is executable content, which has no counterpart here",
            element.tag_name().name()
        );
        let help = "remove it; after the import, name what the host does as a side effect (`on_enter`, \
                    `on_exit`, `side_effects`)";
        self.findings.add(element.range().start, ImportCode::ExecutableContent, message, help);
    }

    /// The elements inside that may mean something, all others noted. Comments and instructions to others
    /// are passed over.
    fn children<'x>(&mut self, element: Element<'d, 'x>) -> Vec<Element<'d, 'x>> {
        let mut found = Vec::new();
        for child in element.children() {
            let at = child.range().start;
            if child.is_text() {
                let text = child.text().unwrap_or_default();
                let start = text.find(|c: char| !c.is_ascii_whitespace());
                if let Some(start) = start {
                    let message = format!("there is text in `<{}>`", element.tag_name().name());
                    let help = "remove it, or make it a comment (`<!-- … -->`)";
                    // Exact unless the text has references in it.
                    let at = if child.range().len() == text.len() { at + start } else { at };
                    self.findings.add(at, ImportCode::UnexpectedText, message, help);
                }
            }
            if !child.is_element() {
                continue;
            }
            let space = child.tag_name().namespace();
            if space == self.space || space == Some(OURS) {
                found.push(child);
            } else if !space.is_some_and(|space| DRAWING.contains(&space)) {
                let message = format!(
                    "`<{}>` is of the vocabulary `{}`, whose meaning is not known here",
                    child.tag_name().name(),
                    space.unwrap_or_default()
                );
                let help = "remove it, if the machine behaves the same without it";
                self.findings.add(at, ImportCode::UnknownElement, message, help);
            }
        }
        found
    }

    /// The attributes; those that the element has not are noted, those of other vocabularies passed over.
    fn attributes(
        &mut self,
        element: Element<'d, '_>,
        known: &[&'static str],
        ours: &[&'static str],
    ) -> Attributes<'d> {
        let mut found = Attributes { plain: Vec::new(), ours: Vec::new() };
        for attribute in element.attributes() {
            let (list, known) = match attribute.namespace() {
                None => (&mut found.plain, known),
                Some(OURS) => (&mut found.ours, ours),
                Some(_) => continue,
            };
            let (name, value) = placed(&attribute);
            if known.contains(&name) {
                list.push((name, value));
                continue;
            }
            let element = element.tag_name().name();
            let message = format!("`<{element}>` has no attribute `{name}`");
            let near = match self.findings.is_full() {
                true => String::new(),
                false => did_you_mean(name, known.iter().copied()),
            };
            let help = format!("remove it{near}");
            self.findings.add(value.at, ImportCode::UnknownAttribute, message, help);
        }
        found
    }

    fn targets(&mut self, attribute: Placed<'d>) -> Targets<'d> {
        let ids: Vec<&str> = attribute.text.split_ascii_whitespace().collect();
        if ids.is_empty() {
            let message = "a list of targets is empty";
            let help = "name a state, or remove the attribute";
            self.findings.add(attribute.at, ImportCode::InvalidAttribute, message, help);
        }
        Targets { at: attribute.at, ids }
    }

    fn legal(&mut self, name: Placed<'d>, what: &str) {
        if let Some(fault) = fault(name.text) {
            let message = format!("{what} {fault}");
            let help = "write a text without control characters";
            self.findings.add(name.at, ImportCode::InvalidName, message, help);
        }
        if name.text.len() > self.limits.name_bytes {
            let limit = self.limits.name_bytes;
            let message = format!("{what} is longer than the limit `name_bytes`, {limit}");
            self.findings.add(name.at, ImportCode::LimitExceeded, message, "shorten it");
        }
    }

    fn invalid(&mut self, at: usize, attribute: &str, value: &str, help: &str) {
        let message = format!("`{attribute}` cannot be `{value}`");
        self.findings.add(at, ImportCode::InvalidAttribute, message, help);
    }

    fn missing(&mut self, at: usize, element: &str, what: &str) {
        let message = format!("`<{element}>` is without its {what}");
        self.findings.add(at, ImportCode::MissingAttribute, message, "add it");
    }

    fn misplaced(&mut self, at: usize, name: &str, owner: &str) {
        const KNOWN: [&str; 22] = [
            "state",
            "parallel",
            "final",
            "history",
            "transition",
            "initial",
            "onentry",
            "onexit",
            "datamodel",
            "data",
            "script",
            "invoke",
            "donedata",
            "raise",
            "if",
            "foreach",
            "log",
            "assign",
            "send",
            "cancel",
            "param",
            "content",
        ];
        if !KNOWN.contains(&name) {
            return self.unknown(at, name);
        }
        let message = format!("`<{name}>` has no place in `<{owner}>`");
        let help = "move it to where it belongs, or remove it";
        self.findings.add(at, ImportCode::MisplacedElement, message, help);
    }

    fn unknown(&mut self, at: usize, name: &str) {
        let near = match self.findings.is_full() {
            true => String::new(),
            false => did_you_mean(name, ELEMENTS),
        };
        let help = match near.as_str() {
            "" => "remove it, if the machine behaves the same without it".into(),
            near => format!("remove it{near}"),
        };
        let message = format!("there is no element `<{name}>` in SCXML");
        self.findings.add(at, ImportCode::UnknownElement, message, help);
    }
}

fn placed<'d>(attribute: &Attribute<'d, '_>) -> (&'d str, Placed<'d>) {
    (attribute.name(), Placed { at: attribute.range().start, text: attribute.value() })
}
