/** What the inputs of nodes are called that take code, keys, addresses, paths or files. */

export const codeInputs =
  /^(?:(?:python|java)?_?(?:code|script)|command|cmd|shell|source_code|function_body)$/i;
export const packageCodeInputs =
  /(?:^|_)(?:pycode|code|script|expr|expression|exp|formula|command|cmd|python|javascript|js|lua|sql|shell|bash|eval|lambda|macro|snippet|program|statement)$|^(?:lua|sql|js|python)_|(?:^|_)(?:ffmpeg|extra|cli|shell|command_line)_?arg(?:ument)?s$/i;
/** What names the program that is started. */
export const programInputs =
  /(?:^|_)(?:executable|exe|binary|interpreter)(?:_(?:path|file|name))?$|(?:^|_)(?:ffmpeg|ffprobe|python|node|blender|git|java|magick|imagemagick|gs|ghostscript|yt_?dlp|exiftool)_(?:path|bin|dir|command)$/i;
export const keyInputs =
  /(?:^|_)(?:api_?key|api_?token|secret_?key|access_?token|auth_?token|bearer(?:_?token)?|credentials?|access_key(?:_id)?|secret_access_key|session_token|service_account(?:_\w+)?|credentials_\w+|connection_(?:string|uri)|dsn)$|(?:^|_)(?:api_?key|token|secret|access_key(?:_id)?)_env(?:ironment)?(?:_var(?:iable)?)?$|(?:^|_)(?:openai|hf|hugging_?face|civitai|anthropic|gemini|google|groq|openrouter|replicate|fal|stability|elevenlabs|deepseek|kling|runway|webhook|bot)_(?:\w+_)?(?:key|token)$/i;
/** What lets somebody in, wherever that is. */
export const loginInputs =
  /(?:^|_)(?:password|passwd|passphrase|passcode|pwd)$|^(?:token|(?:user|login|session|refresh|private)_token|auth(?:orization)?|secret|client_secret|cookies?)$/i;
export const addressInputs =
  /(?:^|_)(?:uri|endpoint|webhook|host|hostname|server|address|domain|proxy|remote|site|broker|ip|link|gateway|callback)s?$|urls?(?:_list)?$|(?:^|_)api_?base$/i;
/** Of what may be a host's address and may be another thing, such as the base of a model. */
export const baseInputs = /(?:^|_)(?:base|origin|mirror|instance|upstream|peer|portal)$/i;
/** Names of services that take what they are sent. */
export const serviceInputs =
  /(?:^|_)(?:webhook|e_?mail|smtp|s?ftp|ssh|telegram|discord|slack|s3|civitai|hugging_?face|openai|ollama|openrouter|mqtt|ntfy|gdrive|dropbox|recipients?|chat_id)(?:_|$)|(?:^|_)bucket(?:_(?:name|id))?$/i;
/** What names who answers: a model or a service. */
export const answererInputs = /(?:^|_)(?:model(?:_name|_id)?|engine|provider|service|llm|vlm|backend|api)$/i;
/** What names a model that may lie elsewhere. */
export const hubInputs =
  /(?:^|_)(?:repo(?:sitory)?(?:_id|_name)?|model_id|model_repo|hub_(?:id|model)|hf_(?:id|model|repo)|pretrained_\w+)$/i;
export const pathInputs =
  /(?:paths?|folders?|director(?:y|ies))(?:_(?:name|list))?$|(?:^|_|save|out|output|in|input|sub|target|dest|src|data|cache|tmp|temp|work|base|root|log)dir$|(?:^|_)save_?to$/i;
export const fileInputs =
  /(?:^|_)(?:files?|file_?names?|fname|file_?stem|file_list|filename_prefix|prefix|location|target|destination|dest|save_as)$/i;
/** Of nodes that come with ComfyUI, those that name a file that is read. */
const mediaInputs = /^(?:image|audio|video|mask|latent|normal|recording|model_file)$/i;
/** What names a model that is there, and nothing that is written. */
export const modelInputs =
  /(?:^|_)(?:model|ckpt|checkpoint|lora|vae|unet|clip|upscaler?|controlnet|detector|sam)(?:_(?:name|file))?$/i;
export const endingInputs = /(?:^|_)(?:ext|extension|suffix|ending|format|file_?type)$/i;

/** Packages write names in Chinese, too, which has no spaces between words. */
const chinese: readonly (readonly [RegExp, string])[] = [
  [/路径/g, " path "],
  [/目录|文件夹/g, " folder "],
  [/文件/g, " file "],
  [/网址|链接/g, " url "],
  [/代码|脚本/g, " script "],
  [/命令/g, " cmd "],
  [/下载/g, " download "],
  [/上传/g, " upload "],
  [/删除/g, " delete "],
  [/保存/g, " save "],
  [/密钥/g, " api key "],
];

/** "savePath", "Save Path" and "save_path_2" alike. */
export function isNamed(input: string, names: RegExp): boolean {
  const plain = wordsOf(input)
    .filter((word) => word !== "")
    .join("_")
    .replace(/[_\d]+$/, "");
  return names.test(input) || names.test(plain);
}

/** Whether its value is the name or the path of a file or a folder. */
export function namesFile(input: string): boolean {
  return [pathInputs, fileInputs, mediaInputs].some((names) => isNamed(input, names));
}

/** Also two that are written as one word: of "CivitAI", "WebSocket" and "ChatGPT" neither part tells anything. */
export function wordsAndPairsOf(name: string): string[] {
  const words = wordsOf(name).filter((word) => word !== "");
  return [...words, ...words.slice(1).map((word, index) => `${words[index]}${word}`)];
}

/** "RunPythonScript", "run_python" and "Run python" alike. */
export function wordsOf(name: string): string[] {
  return chinese
    .reduce((text, [word, english]) => text.replaceAll(word, english), name.normalize("NFKC"))
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
