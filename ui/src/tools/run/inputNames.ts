/** What the inputs of nodes are called that take code, keys, addresses, paths or files. */

export const codeInputs =
  /^(?:(?:python|java)?_?(?:code|script)|command|cmd|shell|source_code|function_body)$/i;
export const packageCodeInputs =
  /(?:^|_)(?:pycode|code|script|expr|expression|exp|command|cmd|python|javascript|shell|bash|eval)$/i;
export const keyInputs = /(?:^|_)(?:api_?key|api_?token|secret_?key|access_?token)$/i;
export const addressInputs =
  /(?:^|_)(?:uri|endpoint|webhook|host|hostname|server|address|domain|proxy|remote|site|broker|ip|link|gateway|callback)s?$|urls?(?:_list)?$|(?:^|_)api_?base$/i;
export const pathInputs =
  /(?:paths?|folders?|director(?:y|ies))(?:_(?:name|list))?$|(?:^|_|save|out|output|work|base|root|log)dir$|(?:^|_)save_?to$/i;
export const fileInputs =
  /(?:^|_)(?:files?|file_?names?|file_list|filename_prefix|target|destination|dest|save_as)$/i;
/** Of nodes that come with ComfyUI, those that name a file that is read. */
export const mediaInputs = /^(?:image|audio|video|mask|latent|normal|recording|model_file)$/i;
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

/** "RunPythonScript", "run_python" and "Run python" alike. */
export function wordsOf(name: string): string[] {
  return chinese
    .reduce((text, [word, english]) => text.replaceAll(word, english), name.normalize("NFKC"))
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
