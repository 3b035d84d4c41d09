//! Where cases are, and what they refer to.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use crate::case::Kind;

/// A case, with everything in it that it refers to.
#[derive(Clone, Debug)]
pub struct CaseFile {
    /// Its name: where it comes from, in a form that is the same on every machine.
    pub path: String,
    /// What it is about.
    pub kind: Kind,
    /// The case as JSON text, or why there is none.
    pub text: Result<String, String>,
}

impl CaseFile {
    /// Whether it is from `tests/cases`, and not other people's.
    pub(crate) fn is_ours(&self) -> bool {
        let inside = self.path.strip_prefix(self.kind.folder());
        inside.is_some_and(|inside| inside.starts_with('/'))
    }
}

/// A place that cases come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// What cases from there are called: this and their path.
    pub name: &'static str,
    /// The folder.
    pub folder: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    /// Folders of cases, one for each kind.
    Cases,
    /// Definitions, each a file.
    Definitions,
    /// Definitions and drawings that were written before this repository.
    Shared,
}

/// The places that there are: `tests/cases`, `tests/hostile`, the folder that `VERISTATE_CASES` names, and
/// `../shared`; the last three where they are there.
#[must_use]
pub fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = vec![
        Source { name: "", folder: root.join("tests/cases"), form: Form::Cases },
        Source { name: "hostile/", folder: root.join("tests/hostile"), form: Form::Definitions },
    ];
    if let Some(extra) = env::var_os("VERISTATE_CASES").filter(|folder| !folder.is_empty()) {
        // A path that is not absolute is meant from the root, wherever cargo runs this program.
        let (folder, hostile) = (root.join(&extra), root.join(extra).join("hostile"));
        sources.push(Source { name: "extra/", folder, form: Form::Cases });
        sources.push(Source { name: "extra/hostile/", folder: hostile, form: Form::Definitions });
    }
    sources.push(Source { name: "shared/", folder: root.join("../shared"), form: Form::Shared });
    sources.retain(|source| matches!(source.form, Form::Cases) || source.folder.is_dir());
    sources
}

/// All cases from there, in the order of their paths.
#[must_use]
pub fn gather(source: &Source) -> Vec<CaseFile> {
    let found = match source.form {
        Form::Cases => cases(&source.folder),
        Form::Definitions => definitions(&source.folder),
        Form::Shared => shared(&source.folder),
    };
    let mut found = found.unwrap_or_else(|error| {
        let text = Err(format!("the folder cannot be read: {error}"));
        vec![CaseFile { path: String::new(), kind: Kind::Step, text }]
    });
    found.sort_by(|a, b| a.path.cmp(&b.path));
    for case in &mut found {
        case.path.insert_str(0, source.name);
    }
    found
}

fn cases(folder: &Path) -> io::Result<Vec<CaseFile>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it is not there"));
    }
    for kind in Kind::ALL {
        let folder = folder.join(kind.folder());
        match kind {
            Kind::Cel => found.extend(cel(&folder)?),
            Kind::Scxml => scxml(&folder, kind.folder(), &mut found)?,
            // They lie beside our own, and are lists.
            Kind::Foreign => {}
            _ if folder.is_dir() => walk(&folder, kind.folder(), kind, &mut found)?,
            _ => {}
        }
    }
    Ok(found)
}

fn walk(folder: &Path, name: &str, kind: Kind, found: &mut Vec<CaseFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{name}/{file}");
        if path.is_dir() {
            walk(&path, &name, kind, found)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(&path).map_err(|error| error.to_string());
            if kind == Kind::History
                && let Ok(Value::Array(list)) =
                    serde_json::from_str(text.as_deref().unwrap_or_default())
            {
                found.extend(foreign(&name, list));
                continue;
            }
            let text = text.and_then(|text| inline(&text, kind, folder));
            found.push(CaseFile { path: name, kind, text });
        }
    }
    Ok(())
}

/// The case with the files that it refers to in their places.
fn inline(text: &str, kind: Kind, folder: &Path) -> Result<String, String> {
    let mut case: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let references =
        [("definition_file", "definition"), ("mermaid_file", "mermaid"), ("dot_file", "dot")];
    if !references.iter().any(|(name, _)| case.get(name).is_some()) {
        return Ok(text.into());
    }
    let Some(fields) = case.as_object_mut() else { return Ok(text.into()) };
    for (reference, field) in references {
        let Some(path) = fields.remove(reference) else { continue };
        let path = path.as_str().ok_or_else(|| format!("`{reference}` is no path"))?;
        let content =
            fs::read_to_string(folder.join(path)).map_err(|error| format!("{path}: {error}"))?;
        let (field, value) = match (field, kind) {
            // Findings have their places in the file.
            ("definition", Kind::Check) => ("text", Value::String(content)),
            ("definition", _) => {
                let definition = serde_json::from_str(&content);
                (field, definition.map_err(|error| format!("{path}: {error}"))?)
            }
            _ => (field, Value::String(content)),
        };
        if fields.insert(field.into(), value).is_some() {
            return Err(format!("the case has both `{field}` and `{reference}`"));
        }
    }
    Ok(case.to_string())
}

/// The lists of a folder of conformance cases, each item as a case; nothing where the folder is not there.
fn cel(folder: &Path) -> io::Result<Vec<CaseFile>> {
    let mut found = Vec::new();
    if !folder.is_dir() {
        return Ok(found);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let list: Vec<Map<String, Value>> = serde_json::from_str(&fs::read_to_string(&path)?)?;
            for mut case in list {
                let parts = ["file", "section", "name"].map(|field| case.remove(field));
                let name =
                    parts.map(|part| part.unwrap_or_default().as_str().unwrap_or("?").to_owned());
                let name = name.join("/");
                case.insert("title".into(), name.as_str().into());
                case.insert("source".into(), "the conformance suite of CEL".into());
                let text = Ok(Value::Object(case).to_string());
                found.push(CaseFile { path: format!("cel/{name}"), kind: Kind::Cel, text });
            }
        }
    }
    Ok(found)
}

/// A list of other people's histories, each as a case. Where they are from and what is remarked is not read.
fn foreign(file: &str, list: Vec<Value>) -> Vec<CaseFile> {
    let stem = file.strip_suffix(".json").unwrap_or(file);
    let case = |(index, mut case): (usize, Value)| {
        let name = case["id"].as_str().map_or_else(|| index.to_string(), str::to_owned);
        if let Some(fields) = case.as_object_mut() {
            for field in ["id", "gist", "sources", "note"] {
                fields.remove(field);
            }
            fields.insert("title".into(), name.as_str().into());
            fields.insert("source".into(), "a history of other people".into());
        }
        let text = Ok(case.to_string());
        CaseFile { path: format!("{stem}/{name}"), kind: Kind::Foreign, text }
    };
    list.into_iter().enumerate().map(case).collect()
}

/// The scripts of a folder, each with the document beside it as a case; nothing where the folder is not there.
fn scxml(folder: &Path, name: &str, found: &mut Vec<CaseFile>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            scxml(&path, &format!("{name}/{file}"), found)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let name = format!("{name}/{stem}");
            let text = scripted(&path, &name).map_err(|error| error.to_string());
            found.push(CaseFile { path: name, kind: Kind::Scxml, text });
        }
    }
    Ok(())
}

/// A script with its document. What else it says (an old engine's semantics) does not concern us.
fn scripted(script: &Path, name: &str) -> io::Result<String> {
    let mut case: Map<String, Value> = serde_json::from_str(&fs::read_to_string(script)?)?;
    case.remove("legacySemantics");
    case.insert("scxml".into(), fs::read_to_string(script.with_extension("scxml"))?.into());
    case.entry("title").or_insert_with(|| name.into());
    case.entry("source").or_insert_with(|| "a conformance case of SCXML".into());
    Ok(Value::Object(case).to_string())
}

/// Each definition of a folder as a case.
fn definitions(folder: &Path) -> io::Result<Vec<CaseFile>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let definition: Value = serde_json::from_str(&fs::read_to_string(&path)?)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            found.push(drawn(&name, &definition, [None, None]));
        }
    }
    Ok(found)
}

/// A definition as a case: it makes a machine and is drawn, as the drawings say.
fn drawn(name: &str, definition: &Value, drawings: [Option<String>; 2]) -> CaseFile {
    let [mermaid, dot] = drawings;
    let case = json!({
        "title": "it has no errors and can be drawn", "source": "DESIGN 8",
        "definition": definition, "mermaid": mermaid, "dot": dot,
    });
    CaseFile { path: name.into(), kind: Kind::Diagram, text: Ok(case.to_string()) }
}

/// What stood before this repository: definitions, some with their drawings.
fn shared(folder: &Path) -> io::Result<Vec<CaseFile>> {
    let mut found = Vec::new();
    let read = |path: &str| fs::read_to_string(folder.join(path)).ok();
    if let Ok(seed) = fs::read_dir(folder.join("seed/definitions")) {
        for entry in seed {
            let path = entry?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let definition = serde_json::from_str(&fs::read_to_string(&path)?)?;
            let drawing = |kind: &str| read(&format!("seed/expected/{name}.{kind}"));
            let drawings = [drawing("mmd"), drawing("dot")];
            found.push(drawn(&format!("seed/{name}"), &definition, drawings));
        }
    }
    if let Some(labels) = read("cases/labels.json") {
        let labels: Vec<Value> = serde_json::from_str(&labels)?;
        for label in labels {
            let name = label["name"].as_str().unwrap_or("?");
            found.push(drawn(&format!("labels/{name}"), &label["definition"], [None, None]));
        }
    }
    if let Some(histories) = read("cases/history.json") {
        found.extend(foreign("history", serde_json::from_str(&histories)?));
    }
    found.extend(cel(&folder.join("cel"))?);
    scxml(&folder.join("scxml"), "scxml", &mut found)?;
    Ok(found)
}
