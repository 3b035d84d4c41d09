//! The page: built, and served as the static files that it is.

use anyhow::anyhow;
use rouille::{Request, Response, Server};
use xshell::{Shell, cmd};

use crate::{npm, package};

/// Where the page's files are after a build.
const SITE: &str = "www/dist";

/// Options of `cargo xtask serve`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Starts Vite's development server, which reloads what changes
    #[arg(long)]
    dev: bool,
    /// The port to listen on
    #[arg(long, default_value_t = 4173)]
    port: u16,
}

/// Builds the package and the page, then serves the page until it is stopped.
pub(crate) fn serve(sh: &Shell, options: &Options) -> anyhow::Result<()> {
    package::make(sh)?;
    npm::ci(sh, "www")?;
    let port = options.port;
    if options.dev {
        let _www = sh.push_dir("www");
        let port = port.to_string();
        cmd!(sh, "npm run dev -- --port {port} --strictPort").run()?;
        return Ok(());
    }
    build_page(sh)?;
    let site = sh.current_dir().join(SITE);
    let server = Server::new(("127.0.0.1", port), move |request| answer(request, &site))
        .map_err(|error| anyhow!("cannot listen on port {port}: {error}"))?;
    println!("\nThe page is at http://localhost:{port}/ (stop with Ctrl-C)");
    server.run();
    Ok(())
}

/// Makes `www/dist`.
pub(crate) fn build_page(sh: &Shell) -> anyhow::Result<()> {
    let _www = sh.push_dir("www");
    cmd!(sh, "npm run build").run()?;
    Ok(())
}

/// Answers with a file below `site`; a folder stands for its `index.html`.
fn answer(request: &Request, site: &std::path::Path) -> Response {
    let url = request.raw_url();
    let path = url.split('?').next().unwrap_or(url);
    let response = if path.ends_with('/') {
        let index = Request::fake_http("GET", format!("{path}index.html"), vec![], vec![]);
        rouille::match_assets(&index, site)
    } else {
        rouille::match_assets(request, site)
    };
    response.with_no_cache()
}
