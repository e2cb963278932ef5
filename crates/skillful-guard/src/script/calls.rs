//! What the known functions of Python and JavaScript do with their arguments.

use crate::context::Language;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Runs its first argument as a program of this language.
    Run,
    /// Runs its first argument as a command, or a list of words.
    Command,
    /// Takes an encoding off.
    Decode,
    /// Characters from numbers.
    Characters,
    /// Brings something from the network, and may send with it.
    Request,
    /// Sends its arguments.
    Send,
    /// Looks a name up.
    Resolve,
    /// Opens or reads the file that its first argument names.
    Read,
    /// Writes a file that its first argument names.
    Write,
    /// Writes what it is given into the file that its object is.
    WriteInto,
    /// Fetches into a file.
    FetchFile,
    /// Gives a variable of the environment.
    Variable,
    /// Clipboard, screen, keys.
    Personal,
    /// A store of secrets.
    SecretStore,
    /// Names of the machine and its user.
    Machine,
    /// Deletes a tree.
    DeleteTree,
    /// Loads what may run.
    Deserialize,
    /// The same text in another form, computed where it is known.
    Fold,
    /// Gives its argument back, as `expanduser` does.
    Same,
    /// Puts texts together.
    Join,
    /// Finds a module or function by a name that is a value.
    Import,
    /// Asks the user.
    Ask,
    /// Lists files.
    List,
    /// Anything else.
    Other,
}

/// Paths of functions, and what they do. A path stands for itself and for whatever ends in it after a dot.
const PYTHON: &[(Role, &[&str])] = &[
    (
        Role::Run,
        &[
            "exec",
            "eval",
            "builtins.exec",
            "builtins.eval",
            "compile",
            "runpy.run_path",
            "code.interact",
            "execfile",
        ],
    ),
    (
        Role::Command,
        &[
            "os.system",
            "os.popen",
            "subprocess.run",
            "subprocess.call",
            "subprocess.Popen",
            "subprocess.check_output",
            "subprocess.check_call",
            "subprocess.getoutput",
            "subprocess.getstatusoutput",
            "asyncio.create_subprocess_shell",
            "asyncio.create_subprocess_exec",
            "os.execv",
            "os.execvp",
            "os.execl",
            "os.spawnl",
            "pty.spawn",
            "commands.getoutput",
            "os.startfile",
            "pexpect.spawn",
        ],
    ),
    (
        Role::Decode,
        &[
            "b64decode",
            "base64.decodebytes",
            "standard_b64decode",
            "urlsafe_b64decode",
            "b32decode",
            "b16decode",
            "b85decode",
            "a85decode",
            "fromhex",
            "unhexlify",
            "codecs.decode",
            "zlib.decompress",
            "gzip.decompress",
            "bz2.decompress",
            "lzma.decompress",
            "marshal.loads",
            "a2b_base64",
            "a2b_hex",
        ],
    ),
    (Role::Characters, &["chr", "bytes", "bytearray"]),
    (
        Role::Request,
        &[
            "requests.get",
            "requests.post",
            "requests.put",
            "requests.patch",
            "requests.request",
            "requests.head",
            "httpx.get",
            "httpx.post",
            "httpx.put",
            "httpx.request",
            "urllib.request.urlopen",
            "urlopen",
            "urllib.request.Request",
            "urllib2.urlopen",
            "session.get",
            "session.post",
            "session.put",
            "client.post",
            "http.client.HTTPSConnection",
            "http.client.HTTPConnection",
            "conn.request",
            "connection.request",
            "aiohttp.request",
        ],
    ),
    (
        Role::Send,
        &[
            "sendall",
            "sendto",
            "s.send",
            "sock.send",
            "socket.send",
            "sendmail",
            "send_message",
            "storbinary",
            "storlines",
            "upload_file",
            "put_object",
            "upload_fileobj",
            "publish",
            "sftp.put",
            "websocket.send",
            "ws.send",
        ],
    ),
    (
        Role::Resolve,
        &[
            "socket.gethostbyname",
            "socket.getaddrinfo",
            "dns.resolver.resolve",
            "dns.resolver.query",
            "gethostbyname",
        ],
    ),
    (
        Role::Read,
        &[
            "open",
            "io.open",
            "codecs.open",
            "read_text",
            "read_bytes",
            "sqlite3.connect",
            "shutil.copy",
            "shutil.copy2",
            "shutil.copyfile",
            "shutil.copytree",
            "zipfile.ZipFile",
            "tarfile.open",
            "configparser.read",
        ],
    ),
    (Role::Write, &["write_text", "write_bytes", "os.symlink"]),
    (Role::WriteInto, &["write", "writelines"]),
    (
        Role::FetchFile,
        &["urlretrieve", "wget.download", "urllib.request.urlretrieve"],
    ),
    (
        Role::Variable,
        &["os.getenv", "os.environ.get", "environ.get", "getenv"],
    ),
    (
        Role::Personal,
        &[
            "pyperclip.paste",
            "ImageGrab.grab",
            "pyautogui.screenshot",
            "clipboard_get",
            "pyscreenshot.grab",
            "mss.mss",
            "keyboard.record",
            "win32clipboard.GetClipboardData",
            "cv2.VideoCapture",
            "sounddevice.rec",
        ],
    ),
    (
        Role::SecretStore,
        &[
            "getpass.getpass",
            "keyring.get_password",
            "browser_cookie3.chrome",
            "browser_cookie3.firefox",
            "browser_cookie3.load",
            "win32crypt.CryptUnprotectData",
            "secretstorage.get_all_items",
        ],
    ),
    (
        Role::Machine,
        &[
            "socket.gethostname",
            "platform.node",
            "getpass.getuser",
            "platform.uname",
            "uuid.getnode",
            "os.getlogin",
            "platform.platform",
        ],
    ),
    (Role::DeleteTree, &["shutil.rmtree", "rmtree"]),
    (
        Role::Deserialize,
        &[
            "pickle.loads",
            "pickle.load",
            "cPickle.loads",
            "dill.loads",
            "cloudpickle.loads",
            "yaml.unsafe_load",
            "jsonpickle.decode",
            "shelve.open",
            "joblib.load",
        ],
    ),
    (
        Role::Fold,
        &[
            "replace",
            "re.sub",
            "format",
            "unicodedata.normalize",
            "translate",
            "strip",
            "lower",
            "swapcase",
            "decode",
            "reversed",
        ],
    ),
    (
        Role::Same,
        &[
            "expanduser",
            "expandvars",
            "str",
            "Path",
            "pathlib.Path",
            "abspath",
            "realpath",
            "resolve",
            "encode",
            "os.fspath",
        ],
    ),
    (Role::Join, &["join", "joinpath"]),
    (
        Role::Import,
        &[
            "__import__",
            "importlib.import_module",
            "import_module",
            "getattr",
        ],
    ),
    (
        Role::List,
        &[
            "os.walk",
            "glob.glob",
            "glob.iglob",
            "rglob",
            "os.listdir",
            "os.scandir",
            "iterdir",
        ],
    ),
    (Role::Ask, &["input", "simpledialog.askstring", "askstring"]),
];

const JAVASCRIPT: &[(Role, &[&str])] = &[
    (
        Role::Run,
        &[
            "eval",
            "Function",
            "vm.runInThisContext",
            "vm.runInNewContext",
            "vm.runInContext",
            "vm.Script",
            "setTimeout",
            "setInterval",
            "globalThis.eval",
            "window.eval",
        ],
    ),
    (
        Role::Command,
        &[
            "child_process.exec",
            "child_process.execSync",
            "child_process.spawn",
            "child_process.spawnSync",
            "child_process.execFile",
            "child_process.execFileSync",
            "child_process.fork",
            "execSync",
            "spawnSync",
            "Bun.spawn",
            "Deno.run",
            "Deno.Command",
            "shelljs.exec",
            "execa",
        ],
    ),
    (
        Role::Decode,
        &[
            "atob",
            "Buffer.from",
            "decodeURIComponent",
            "unescape",
            "zlib.inflateSync",
            "zlib.gunzipSync",
            "zlib.brotliDecompressSync",
        ],
    ),
    (
        Role::Characters,
        &[
            "String.fromCharCode",
            "String.fromCodePoint",
            "fromCharCode",
        ],
    ),
    (
        Role::Request,
        &[
            "fetch",
            "axios",
            "axios.get",
            "axios.post",
            "axios.put",
            "axios.request",
            "http.get",
            "https.get",
            "http.request",
            "https.request",
            "got",
            "got.post",
            "needle.post",
            "superagent.post",
            "request.post",
            "undici.request",
            "request",
            "node-fetch",
        ],
    ),
    (
        Role::Send,
        &[
            "sendBeacon",
            "ws.send",
            "socket.send",
            "xhr.send",
            "sendMail",
            "req.write",
            "client.write",
            "socket.write",
            "request.write",
            "req.end",
            "postMessageToServer",
        ],
    ),
    (
        Role::Resolve,
        &[
            "dns.lookup",
            "dns.resolve",
            "dns.resolve4",
            "dns.resolveTxt",
        ],
    ),
    (
        Role::Read,
        &[
            "readFileSync",
            "readFile",
            "createReadStream",
            "Bun.file",
            "Deno.readTextFile",
            "Deno.readFile",
            "copyFileSync",
        ],
    ),
    (
        Role::Write,
        &[
            "writeFileSync",
            "writeFile",
            "appendFileSync",
            "appendFile",
            "symlinkSync",
            "Deno.writeTextFile",
            "Bun.write",
        ],
    ),
    (
        Role::Personal,
        &[
            "clipboardy.readSync",
            "clipboardy.read",
            "navigator.clipboard.readText",
            "clipboard.readText",
            "screenshot",
        ],
    ),
    (
        Role::SecretStore,
        &[
            "keytar.getPassword",
            "keytar.findCredentials",
            "document.cookie",
        ],
    ),
    (
        Role::Machine,
        &["os.hostname", "os.userInfo", "os.networkInterfaces"],
    ),
    (
        Role::DeleteTree,
        &[
            "rmSync",
            "rmdirSync",
            "rimraf",
            "rimraf.sync",
            "fs.rm",
            "removeSync",
            "emptyDirSync",
        ],
    ),
    (
        Role::Deserialize,
        &["node-serialize.unserialize", "unserialize"],
    ),
    (
        Role::Fold,
        &[
            "replace",
            "replaceAll",
            "reverse",
            "concat",
            "toLowerCase",
            "trim",
            "normalize",
            "split",
        ],
    ),
    (
        Role::Same,
        &[
            "String",
            "path.resolve",
            "path.normalize",
            "toString",
            "JSON.stringify",
        ],
    ),
    (Role::Join, &["join", "path.join"]),
    (
        Role::List,
        &[
            "glob.sync",
            "globSync",
            "readdirSync",
            "readdir",
            "fast-glob.sync",
            "fg.sync",
            "walkSync",
        ],
    ),
];

/// The role of the function with this dotted path.
pub(crate) fn role(path: &str, language: Language) -> Role {
    let table = if language == Language::Python {
        PYTHON
    } else {
        JAVASCRIPT
    };
    let known = table
        .iter()
        .find(|(_, paths)| paths.iter().any(|known| is_path(path, known)));
    known.map_or(Role::Other, |(role, _)| *role)
}

/// `a.b.c` is `b.c`; single words that are builtins are no methods.
fn is_path(path: &str, known: &str) -> bool {
    if path == known {
        return true;
    }
    let is_builtin = matches!(
        known,
        "exec"
            | "eval"
            | "compile"
            | "open"
            | "input"
            | "getattr"
            | "chr"
            | "bytes"
            | "str"
            | "Function"
            | "fetch"
            | "request"
            | "axios"
            | "got"
            | "String"
            | "setTimeout"
            | "setInterval"
            | "atob"
            | "unescape"
    );
    !is_builtin
        && path
            .strip_suffix(known)
            .is_some_and(|before| before.ends_with('.'))
}

/// Arguments and keys that carry a secret to where it belongs.
pub(crate) fn is_credential_slot(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "headers"
            | "auth"
            | "env"
            | "cookies"
            | "cert"
            | "authorization"
            | "x-api-key"
            | "api_key"
            | "apikey"
            | "token"
            | "password"
            | "proxies"
            | "cwd"
            | "credentials"
            | "key"
            | "access_token"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_in_known_ones_and_builtins_are_no_methods() {
        assert_eq!(role("my.requests.post", Language::Python), Role::Request);
        assert_eq!(role("exec", Language::Python), Role::Run);
        assert_eq!(role("db.exec", Language::JavaScript), Role::Other);
        assert_eq!(role("cursor.eval", Language::Python), Role::Other);
        assert_eq!(
            role("fs.promises.readFile", Language::JavaScript),
            Role::Read
        );
    }
}
