const NEVER = /(?!)/;

/** What of a language is seen without parsing it. */
export interface Language {
  /** Ends right before the arguments of a call that starts a program. */
  spawns: RegExp;
  /** A word without which nothing is started; where it stands without such a call, the call is hidden. */
  mentions: RegExp;
  deletes: RegExp;
  /** Code out of text, and names out of text: what it does cannot be read. For Python and Go the scan says so. */
  makesCode: RegExp;
  network: RegExp;
}

export const LANGUAGES: Record<string, Language> = {
  python: {
    spawns:
      /(?<!\b(?:asyncio|anyio|trio|uvicorn|curio))\.\s*(?:run|call)\s*(?=\()|\.\s*(?:system|popen|check_call|check_output|Popen|getoutput|getstatusoutput|spawn\w*|exec[lv]\w*|posix_spawn\w*|create_subprocess_\w+)\s*(?=\()/g,
    mentions:
      /\b(?:subprocess|os\s*\.\s*(?:system|popen|exec[lv]\w*|spawn\w*|posix_spawn\w*)|pty|posix|commands|from\s+os\s+import)\b/,
    deletes: /\b(?:rmtree|os\s*\.\s*(?:remove|unlink|rmdir|removedirs))\s*(?=\()/g,
    makesCode: NEVER,
    network:
      /\b(?:socket|urllib(?!\.parse\b)|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|paramiko|webbrowser|http\.client)\b/,
  },
  node: {
    spawns: /\b(?:exec|execSync|execFile|execFileSync|spawn|spawnSync|fork)\s*(?=\()/g,
    mentions:
      /child_process|process\s*\.\s*mainModule|\bDeno\s*\.\s*(?:Command|run|dlopen)|\bBun\s*\.\s*(?:spawn\w*|\$)/,
    deletes:
      /\b(?:rmSync|rmdirSync|unlinkSync|(?:fs|promises|fsp)\s*\.\s*(?:rm|rmdir|unlink)|Deno\s*\.\s*remove(?:Sync)?)\s*(?=\()/g,
    // The scan lets a literal text pass; but this gives its caller what the text names, for whatever use.
    makesCode: /(?<![\w.])Function\s*\(/,
    network: /\b(?:fetch|WebSocket|XMLHttpRequest)\s*\(|['"](?:node:)?(?:http|https|net|dgram|tls|http2)['"]/,
  },
  perl: {
    spawns: /(?<![\w$@%>-])(?:system|exec|qx)\b\s*/g,
    mentions: /\b(?:popen|open3?|IPC::)\b/,
    deletes: /(?<![\w$@%>-])(?:unlink|rmtree|remove_tree|rmdir)\b\s*/g,
    makesCode: /(?<![\w$@%>-])eval\b|\bpack\s*\(|decode_base64|MIME::Base64/,
    network: /\b(?:Socket|LWP|HTTP::|Net::)\b/,
  },
  ruby: {
    spawns: /(?<![\w$@])(?:system|exec|spawn|popen\w*|capture\w*|%x)\b\s*/g,
    mentions: /\b(?:Open3|PTY|IO\.popen)\b/,
    deletes: /\b(?:rm_rf|rm_r|rm_f|rm|rmtree|remove_dir|remove_entry\w*|unlink|delete)\b\s*(?=[("'\s])/g,
    makesCode: /\b(?:eval|instance_eval|class_eval|Base64|__send__|public_send)\b|\bsend\s*\(/,
    network: /\b(?:Net::|TCPSocket|open-uri|URI\.open|Socket)\b/,
  },
  php: {
    spawns: /\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec)\s*(?=\()/g,
    mentions: /\b(?:pcntl_fork)\b/,
    deletes: /\b(?:unlink|rmdir)\s*(?=\()/g,
    makesCode: /\b(?:eval|assert|create_function|base64_decode|call_user_func)\s*\(|\$\w+\s*\(/,
    network: /\b(?:fsockopen|curl_init|stream_socket_client)\b|https?:/,
  },
  lua: {
    spawns: /\b(?:os\s*\.\s*execute|io\s*\.\s*popen)\s*/g,
    mentions: /\bdebug\s*\./,
    deletes: /\bos\s*\.\s*remove\s*/g,
    makesCode: /\b(?:load|loadstring|dofile|loadfile)\s*[("']/,
    network: /\bsocket\b/,
  },
  r: {
    spawns: /\b(?:system2?|shell|run)\s*(?=\()/g,
    mentions: /(?!)/,
    deletes: /\b(?:unlink|file\.remove|rm)\s*(?=\()/g,
    makesCode: /\b(?:eval|parse)\s*\(/,
    network: /\b(?:download|url|socketConnection)\s*\(|https?:/,
  },
  // Sources of these are only read for what is written out: programs that start others are ordinary work.
  c: {
    spawns: /\b(?:system|popen|exec[lv]p?e?)\s*(?=\()/g,
    mentions: NEVER,
    deletes: /\b(?:unlink|rmdir|remove|remove_all)\s*(?=\()/g,
    makesCode: NEVER,
    network: NEVER,
  },
  go: {
    spawns: /\bexec\s*\.\s*Command\s*(?=\()/g,
    mentions: NEVER,
    deletes: /\bos\s*\.\s*(?:Remove|RemoveAll)\s*(?=\()/g,
    makesCode: NEVER,
    // A program that talks to others is ordinary work; one that names whom, and is run at once, is a request.
    network: /\bhttp\s*\.\s*(?:Get|Head|Post|PostForm|NewRequest\w*)\s*\([^)\n]*"https?:|\bnet\s*\.\s*Dial\w*\s*\(/,
  },
  dc: { spawns: /(?!)/g, mentions: /!(?![<>=])/, deletes: /(?!)/g, makesCode: NEVER, network: NEVER },
  /** Languages that are seldom seen: any word that starts or deletes something is enough. */
  other: {
    spawns: /(?!)/g,
    mentions:
      /\b(?:system\w*|shell\w*|exec\w*|spawn\w*|popen|cmd|Process\w*|Runtime|unlink\w*|delete\w*|rmdir|remove\w*|ccall|rm)\b|`/,
    deletes: /(?!)/g,
    makesCode: /\b(?:eval|load|require)\b/,
    network: /\b(?:socket|http|tcp)\b/i,
  },
};
