/** What names say: of types, and of the inputs that take files. */

const fileInputs =
  /(?:paths?|folders?|director(?:y|ies)|files?|file_?names?|prefix|location|destination)(?:_(?:name|list))?$|^(?:image|audio|video|mask|latent|normal|recording|model_file)$/i;

/** Packages write names in Chinese, too, which has no spaces between words. */
const chinese: readonly (readonly [RegExp, string])[] = [
  [/代码|脚本/g, " script "],
  [/命令/g, " cmd "],
  [/下载/g, " download "],
  [/上传/g, " upload "],
  [/删除/g, " delete "],
  [/文件/g, " file "],
];

/** Whether its value is the name or the path of a file or a folder. */
export function namesFile(input: string): boolean {
  return fileInputs.test(input);
}

/** Also two that are written as one word: of "CivitAI", "WebSocket" and "ChatGPT" neither part tells anything. */
export function wordsAndPairsOf(name: string): string[] {
  const words = wordsOf(name).filter((word) => word !== "");
  return [...words, ...words.slice(1).map((word, index) => `${words[index]}${word}`)];
}

/** "RunPythonScript", "run_python" and "Run python" alike. */
function wordsOf(name: string): string[] {
  return chinese
    .reduce((text, [word, english]) => text.replaceAll(word, english), name.normalize("NFKC"))
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
