//! The documents of others, where they are: in `../shared/scxml`, seen from the root of the workspace, and in
//! `scxml/` of the folder that `VERISTATE_CASES` names.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use veristate::Definition;

#[test]
fn documents_of_others_come_back_as_they_went() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    collect(&root.join("../shared/scxml"), &mut files);
    if let Some(extra) = env::var_os("VERISTATE_CASES").filter(|folder| !folder.is_empty()) {
        collect(&root.join(extra).join("scxml"), &mut files);
    }
    if files.is_empty() {
        println!("no documents at hand, neither in ../shared/scxml nor in $VERISTATE_CASES/scxml");
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("a file can be read");
        let definition = Definition::from_scxml(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let export = definition.to_scxml();
        assert_eq!(export.left_out, [], "{}", file.display());
        let again = Definition::from_scxml(&export.text)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", file.display(), export.text));
        assert_eq!(again, definition, "{}\n{}", file.display(), export.text);
        assert_eq!(again.to_scxml(), export, "{}", file.display());
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "scxml") {
            files.push(path);
        }
    }
    files.sort();
}
