//! From a definition to SCXML.

use alloc::{format, string::String, vec::Vec};

use serde::Serialize;

use super::{
    OURS, SCXML,
    ids::{self, is_event, is_xml, word},
    plan,
    tree::{Element, Tree},
    words::{self, Arrow},
    write::Xml,
};
use crate::{
    definition::{Definition, HistoryKind, JoinCondition, Kind, State},
    interchange::{
        finding::{LeftOut, LeftOutCode},
        places::ROOT,
    },
};

/// A definition as SCXML, and what it is without.
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct ScxmlExport {
    /// The document. It ends with a line break.
    pub text: String,
    /// What SCXML cannot say, so that the document is without it. Where there is nothing but `text` and
    /// `metadata`, the document behaves as the definition does.
    pub left_out: Vec<LeftOut>,
}

impl Definition {
    /// This definition as SCXML 1.0, with guards in CEL (`datamodel="cel"`). Written for a definition that has
    /// been checked; what is wrong in another is left out, too.
    ///
    /// What SCXML has no words for and changes no behaviour stands in attributes and elements of the namespace
    /// `urn:veristate`, which an import reads back: names that cannot be ids, actions that cannot be events,
    /// names of transitions, texts for people, named guards. What does change behaviour is left out and
    /// listed: side effects, permissions, timeouts, entry conditions, permits, regions that are not waited for.
    /// A transition whose guard cannot be written is left out as a whole.
    ///
    /// Never fails, and gives the same text for the same definition. Cost: linear, but for `*` and actions
    /// that are leading tokens of others, which are compared with all actions.
    #[must_use]
    pub fn to_scxml(&self) -> ScxmlExport {
        let tree = Tree::new(self);
        let mut left_out = Vec::new();
        for index in 0..tree.nodes.len() {
            fields(&tree, index, &mut left_out);
        }
        let plan = plan::plan(&tree, &mut left_out);
        let named_as_made = plan::named_as_made(&tree, &plan);
        let ids = ids::ids(&tree);
        let arrows = words::arrows(&tree, &ids, &plan, &named_as_made);
        let exporter = Exporter { tree: &tree, ids: &ids, left_out };
        exporter.document(&arrows)
    }
}

/// Notes what a state, or the definition, has that SCXML has not.
fn fields(tree: &Tree<'_>, index: usize, left_out: &mut Vec<LeftOut>) {
    use LeftOutCode as Code;
    let pointer = tree.pointer(index);
    let mut add = |is_there: bool, code, field: &str, message: &str| {
        if is_there {
            let (pointer, message) = (format!("{pointer}{field}"), message.into());
            left_out.push(LeftOut { code, pointer, message });
        }
    };
    let free_data = "free data have no place in SCXML";
    let no_character = "a character of this cannot be written in XML";
    let Some(state) = tree.nodes[index].state else {
        let Definition { object_type, metadata, .. } = tree.definition;
        add(!metadata.is_empty(), Code::Metadata, "/metadata", free_data);
        return add(!is_xml(object_type), Code::Text, "/object_type", no_character);
    };
    let has_effects = "side effects are names here, and SCXML has code";
    add(!state.permits.is_empty(), Code::Permits, "/permits", "SCXML knows transitions only");
    let conditions = "in SCXML nothing must be true of an object in a state";
    add(!state.entry_conditions.is_empty(), Code::EntryConditions, "/entry_conditions", conditions);
    add(state.timeout.is_some(), Code::Timeout, "/timeout", "a timeout is code in SCXML");
    add(!state.on_enter.is_empty(), Code::SideEffects, "/on_enter", has_effects);
    add(!state.on_exit.is_empty(), Code::SideEffects, "/on_exit", has_effects);
    let waits = "in SCXML a parallel state waits for all that is in it";
    add(state.required == Some(false), Code::Required, "/required", waits);
    let joins = state.join_condition != JoinCondition::All;
    add(joins, Code::JoinCondition, "/join_condition", waits);
    let element = tree.nodes[index].element;
    let is_ordinary = state.is_terminal && element != Element::Final;
    let is_final = "in SCXML a final state has nothing inside and is no region";
    add(is_ordinary, Code::Terminal, "/is_terminal", is_final);
    add(!state.metadata.is_empty(), Code::Metadata, "/metadata", free_data);
    let inside = state.sub_machine.as_deref();
    let has_data = inside.is_some_and(|inside| !inside.metadata.is_empty());
    add(has_data, Code::Metadata, "/sub_machine/metadata", free_data);
    for (field, text) in [
        ("/name", Some(&state.name)),
        ("/display_name", state.display_name.as_ref()),
        ("/description", state.description.as_ref()),
        ("/sub_machine/object_type", inside.and_then(|inside| inside.object_type.as_ref())),
    ] {
        add(text.is_some_and(|text| !is_xml(text)), Code::Text, field, no_character);
    }
}

struct Exporter<'e, 'd> {
    tree: &'e Tree<'d>,
    ids: &'e [String],
    left_out: Vec<LeftOut>,
}

impl<'d> Exporter<'_, 'd> {
    fn document(mut self, arrows: &[Vec<Arrow<'_, 'd>>]) -> ScxmlExport {
        let definition = self.tree.definition;
        let name = &definition.object_type;
        // The namespace is declared where it is needed, and that is known at the end.
        let mut xml = Xml::new(1);
        self.guards(&mut xml, ROOT);
        let mut open = alloc::vec![ROOT];
        for (index, arrows) in arrows.iter().enumerate().skip(1) {
            while open.last().is_some_and(|last| *last != self.tree.places.parent(index)) {
                if let Some(last) = open.pop() {
                    xml.close(self.tree.nodes[last].element.name());
                }
            }
            self.state(&mut xml, index, arrows);
            if self.tree.nodes[index].children.is_empty() {
                xml.close(self.tree.nodes[index].element.name());
            } else {
                open.push(index);
            }
        }
        for last in open.into_iter().skip(1).rev() {
            xml.close(self.tree.nodes[last].element.name());
        }

        let mut root = Xml::new(0);
        root.open("scxml");
        root.attribute("xmlns", SCXML);
        let keeps_name = !is_event(name) && is_xml(name);
        let keeps_more = definition.version != 1 || !definition.history_enabled;
        if xml.uses_ours || keeps_name || keeps_more {
            root.attribute("xmlns:veristate", OURS);
        }
        root.attribute("version", "1.0");
        root.attribute("datamodel", if xml.has_conditions { "cel" } else { "null" });
        match is_event(name) {
            true => root.attribute("name", name),
            false => root.attribute("name", &word(name, 60)),
        }
        if keeps_name {
            root.attribute("veristate:name", name);
        }
        if definition.version != 1 {
            root.attribute("veristate:version", &format!("{}", definition.version));
        }
        if !definition.history_enabled {
            root.attribute("veristate:history_enabled", "false");
        }
        self.initial(&mut root, ROOT);
        root.inside(&xml);
        root.close("scxml");
        let text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}", root.text());
        ScxmlExport { text, left_out: self.left_out }
    }

    fn state(&mut self, xml: &mut Xml, index: usize, arrows: &[Arrow<'_, 'd>]) {
        let node = &self.tree.nodes[index];
        let Some(state) = node.state else { return };
        xml.open(node.element.name());
        xml.attribute("id", &self.ids[index]);
        if let Some(history) = state.history {
            xml.attribute(
                "type",
                match history {
                    HistoryKind::Shallow => "shallow",
                    HistoryKind::Deep => "deep",
                },
            );
        }
        if node.element == Element::Compound {
            self.initial(xml, index);
        }
        if self.ids[index] != state.name {
            xml.ours("name", Some(&state.name));
        }
        xml.ours("display_name", state.display_name.as_deref());
        xml.ours("description", state.description.as_deref());
        xml.ours(
            "kind",
            match state.kind {
                Kind::Stable => None,
                Kind::Transitional => Some("transitional"),
                Kind::Faulty => Some("faulty"),
            },
        );
        let inside = state.sub_machine.as_deref();
        xml.ours("object_type", inside.and_then(|inside| inside.object_type.as_deref()));
        self.guards(xml, index);
        for arrow in arrows {
            self.transition(xml, arrow);
        }
        if state.history.is_some() {
            self.default_of(xml, index, state);
        }
    }

    fn transition(&self, xml: &mut Xml, arrow: &Arrow<'_, 'd>) {
        xml.open("transition");
        if let Some(event) = &arrow.event {
            xml.attribute("event", event);
        }
        if let Some(guard) = &arrow.out.transition.guard {
            xml.attribute("cond", guard);
            xml.has_conditions = true;
        }
        if let Some(targets) = &arrow.out.targets {
            xml.attribute("target", &self.list(targets));
        }
        if arrow.out.is_internal {
            xml.attribute("type", "internal");
        }
        xml.ours("name", arrow.name);
        xml.ours("action", arrow.action);
        xml.ours("display_name", arrow.out.transition.display_name.as_deref());
        xml.close("transition");
    }

    fn default_of(&mut self, xml: &mut Xml, index: usize, state: &State) {
        let around = self.tree.places.parent(index);
        let names = state.default_target.as_ref();
        let states = names.and_then(|names| self.tree.find(around, names));
        let places = &self.tree.places;
        match states.filter(|all| all.iter().all(|&state| places.lies_in(state, around))) {
            Some(states) => {
                xml.open("transition");
                xml.attribute("target", &self.list(&states));
                xml.close("transition");
            }
            None => self.no_target(index, "/default_target"),
        }
    }

    fn initial(&mut self, xml: &mut Xml, index: usize) {
        let Some(machine) = self.tree.machine(index) else { return };
        match self.tree.find_inside(index, machine.initial_state) {
            Some(states) => xml.attribute("initial", &self.list(&states)),
            None if index == ROOT => self.no_target(index, "/initial_state"),
            None => self.no_target(index, "/sub_machine/initial_state"),
        }
    }

    fn no_target(&mut self, index: usize, field: &str) {
        let pointer = format!("{}{field}", self.tree.pointer(index));
        let message = "no state inside has this name".into();
        self.left_out.push(LeftOut { code: LeftOutCode::Target, pointer, message });
    }

    fn guards(&mut self, xml: &mut Xml, index: usize) {
        let Some(machine) = self.tree.machine(index) else { return };
        for (name, require) in machine.guards {
            if is_xml(name) && is_xml(require) {
                xml.open("veristate:guard");
                xml.attribute("name", name);
                xml.attribute("require", require);
                xml.close("veristate:guard");
                xml.uses_ours = true;
                xml.has_conditions = true;
                continue;
            }
            let name = name.replace('~', "~0").replace('/', "~1");
            let pointer = format!("{}/guards/{name}", self.tree.machine_pointer(index));
            let message = "a character of the guard cannot be written in XML".into();
            self.left_out.push(LeftOut { code: LeftOutCode::Guard, pointer, message });
        }
    }

    fn list(&self, states: &[usize]) -> String {
        let ids: Vec<&str> = states.iter().map(|state| self.ids[*state].as_str()).collect();
        ids.join(" ")
    }
}
