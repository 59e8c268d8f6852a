//! The browser's own verdicts: shaders compiled and linked, and jobs drawn, by a headless Chromium.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::draw::{DEPTH_FRAGMENT, format_of};
use crate::gl::{Phase, Rejection};
use crate::job::{FULLSCREEN_VERTEX, Job, Output};
use crate::list::{Failure, Item, Sources};

/// How to run the browser.
#[derive(Clone, Debug)]
pub struct Options {
    /// The browser.
    pub program: OsString,
    /// Its `--use-angle`: `swiftshader`, or `gl-egl` for Mesa.
    pub angle: String,
    /// Items a page.
    pub page: usize,
}

impl Default for Options {
    /// `$CHROME`, else `chromium`, on SwiftShader.
    fn default() -> Options {
        Options {
            program: std::env::var_os("CHROME").unwrap_or_else(|| "chromium".into()),
            angle: "swiftshader".into(),
            page: 300,
        }
    }
}

/// What a page works on: distinct sources, and the items as indices into them.
#[derive(Serialize)]
struct Work<'a> {
    vertex: Vec<&'a str>,
    fragment: Vec<&'a str>,
    items: Vec<(Option<usize>, Option<usize>)>,
}

#[derive(Deserialize)]
struct PageResult {
    error: Option<String>,
    #[serde(default)]
    lost: bool,
    #[serde(default)]
    results: Vec<Option<Rejection>>,
}

/// Why a page gave no result.
enum Failed {
    /// Something among its shaders hangs or crashes the browser.
    Page(Rejection),
    /// The browser does not work at all.
    Browser(String),
}

/// Checks items in the browser; the failures come in the order of the list.
///
/// # Errors
/// When there is no browser, or it has no WebGL2.
pub fn check(items: &[Item], options: &Options) -> Result<Vec<Failure>, String> {
    let mut failures = Vec::new();
    let mut readable = Vec::new();
    for item in items {
        match item.sources() {
            Ok(sources) => readable.push((item, sources)),
            Err(rejection) => failures.push(item.failure(rejection)),
        }
    }
    for chunk in readable.chunks(options.page.max(1)) {
        let mut pages = vec![chunk];
        while let Some(page) = pages.pop() {
            match run(page, options) {
                Ok(results) => failures.extend(
                    page.iter()
                        .zip(results)
                        .filter_map(|((item, _), result)| result.map(|r| item.failure(r))),
                ),
                Err(Failed::Page(rejection)) => match page {
                    [(item, _)] => failures.push(item.failure(rejection)),
                    _ => {
                        let (first, second) = page.split_at(page.len() / 2);
                        pages.extend([second, first]);
                    }
                },
                Err(Failed::Browser(text)) => return Err(text),
            }
        }
    }
    failures.sort_by_key(|failure| failure.line);
    Ok(failures)
}

/// Draws jobs in the browser, as [`Gl::draw`](crate::Gl::draw) does here; a failure is told in words.
///
/// # Errors
/// When there is no browser, or it gives no page.
pub fn draw(jobs: &[Job], options: &Options) -> Result<Vec<Result<Output, String>>, String> {
    #[derive(Serialize)]
    struct Task<'a> {
        job: &'a Job,
        /// Internal format, format and type of each texture.
        formats: BTreeMap<&'a str, [u32; 3]>,
    }
    #[derive(Deserialize)]
    struct Answer {
        output: Option<Output>,
        error: Option<String>,
    }
    let mut outputs = Vec::new();
    for chunk in jobs.chunks(options.page.max(1)) {
        let tasks: Vec<_> = chunk
            .iter()
            .map(|job| {
                let formats = job.textures.iter().map(|(name, texture)| {
                    let (internal, format, ty, _) = format_of(texture.format);
                    (name.as_str(), [internal, format, ty])
                });
                Task { job, formats: formats.collect() }
            })
            .collect();
        let work = serde_json::json!({
            "tasks": tasks, "fullscreen": FULLSCREEN_VERTEX, "depth": DEPTH_FRAGMENT,
        });
        let page = page_with(include_str!("draw.html"), &work);
        let text = result_of(&page, chunk.len(), options).map_err(|failed| match failed {
            Failed::Page(rejection) => rejection.to_string(),
            Failed::Browser(text) => text,
        })?;
        let answers: Vec<Answer> = serde_json::from_str(&text).map_err(|e| format!("{e}: {text:?}"))?;
        if answers.len() != chunk.len() {
            return Err(format!("{} answers to {} jobs", answers.len(), chunk.len()));
        }
        outputs.extend(
            answers
                .into_iter()
                .map(|a| a.output.ok_or_else(|| a.error.unwrap_or_else(|| "no output".into()))),
        );
    }
    Ok(outputs)
}

/// What a page left in its element `result`.
fn result_of(page: &str, items: usize, options: &Options) -> Result<String, Failed> {
    let browser = |e: std::io::Error| Failed::Browser(e.to_string());
    let scratch = Scratch::new().map_err(browser)?;
    let path = scratch.0.join("page.html");
    std::fs::write(&path, page).map_err(browser)?;
    let limit = Duration::from_secs(60) + Duration::from_millis(500) * items as u32;
    let dom = dump_dom(&path, &scratch.0, options, limit)?;
    let text = dom.split_once("<pre id=\"result\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    match text {
        Some((text, _)) => Ok(text.into()),
        None => {
            let log = format!("the browser gave no page\n{}", scratch.errors());
            Err(Failed::Page(Rejection { phase: Phase::Crash, log }))
        }
    }
}

fn run(items: &[(&Item, Sources)], options: &Options) -> Result<Vec<Option<Rejection>>, Failed> {
    let text = result_of(&page_for(items), items.len(), options)?;
    let crash = |log: String| Failed::Page(Rejection { phase: Phase::Crash, log });
    let result: PageResult = serde_json::from_str(&text).map_err(|e| crash(format!("{e}: {text:?}")))?;
    match result.error {
        Some(text) if result.lost => Err(crash(text)),
        Some(text) => Err(Failed::Browser(text)),
        None if result.results.len() == items.len() => Ok(result.results),
        None => Err(crash(format!("{} results for {} items", result.results.len(), items.len()))),
    }
}

fn page_with(page: &str, work: &impl Serialize) -> String {
    // Markup can only stand within strings, where an escape means the same.
    let work = serde_json::to_string(work).unwrap_or_default().replace('<', "\\u003c");
    page.replace("WORK", &work)
}

fn page_for(items: &[(&Item, Sources)]) -> String {
    fn index<'a>(sources: &mut Vec<&'a str>, known: &mut HashMap<&'a str, usize>, source: &'a str) -> usize {
        *known.entry(source).or_insert_with(|| {
            sources.push(source);
            sources.len() - 1
        })
    }
    let mut work = Work { vertex: Vec::new(), fragment: Vec::new(), items: Vec::new() };
    let (mut vertex, mut fragment) = (HashMap::new(), HashMap::new());
    for (_, sources) in items {
        work.items.push((
            sources.0.as_deref().map(|source| index(&mut work.vertex, &mut vertex, source)),
            sources.1.as_deref().map(|source| index(&mut work.fragment, &mut fragment, source)),
        ));
    }
    page_with(include_str!("chromium.html"), &work)
}

fn dump_dom(page: &Path, scratch: &Path, options: &Options, limit: Duration) -> Result<String, Failed> {
    let errors = File::create(scratch.join("stderr")).map_err(|e| Failed::Browser(e.to_string()))?;
    let mut command = Command::new(&options.program);
    command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu-sandbox",
            "--ignore-gpu-blocklist",
            "--enable-unsafe-swiftshader",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-default-apps",
            "--disable-extensions",
            "--dump-dom",
        ])
        .arg(format!("--use-angle={}", options.angle))
        .arg(format!("--user-data-dir={}", scratch.join("profile").display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(errors);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut browser = Browser(command.spawn().map_err(|e| {
        Failed::Browser(format!("{}: {e}; set CHROME to a Chromium", options.program.display()))
    })?);
    let Some(mut out) = browser.0.stdout.take() else { unreachable!("it was asked to be a pipe") };
    let (send, received) = channel();
    std::thread::spawn(move || {
        let mut dom = Vec::new();
        // A broken pipe leaves a page without result, and no one may be waiting any more.
        let _ = out.read_to_end(&mut dom);
        let _ = send.send(dom);
    });
    match received.recv_timeout(limit) {
        Ok(dom) => Ok(String::from_utf8_lossy(&dom).into_owned()),
        Err(_) => {
            let log = format!("the browser took more than {limit:?}");
            Err(Failed::Page(Rejection { phase: Phase::Timeout, log }))
        }
    }
}

/// A browser process, with those it started.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        // The whole group: a hanging GPU process would outlive its browser.
        #[cfg(unix)]
        let _ = Command::new("kill")
            .args(["-KILL", "--", &format!("-{}", self.0.id())])
            .stderr(Stdio::null())
            .status();
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A folder that goes when this does.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Scratch> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("gl-check-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&dir)?;
        Ok(Scratch(dir))
    }

    /// The last of what the browser said.
    fn errors(&self) -> String {
        let text = std::fs::read(self.0.join("stderr")).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(5)..].join("\n")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A browser on its way out may still write to its profile; a leftover in the temporary folder is harmless.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_holds_each_source_once_and_no_markup() {
        let item = Item { line: 1, vertex: None, fragment: None };
        let sources = |v: &str, f: &str| (Some(v.to_owned()), Some(f.to_owned()));
        let items = [
            (&item, sources("</script>", "f")),
            (&item, sources("</script>", "g")),
            (&item, (None, Some("f".to_owned()))),
        ];
        let page = page_for(&items);
        assert!(page.contains(
            r#"{"vertex":["\u003c/script>"],"fragment":["f","g"],"items":[[0,0],[0,1],[null,0]]}"#
        ));
    }
}
