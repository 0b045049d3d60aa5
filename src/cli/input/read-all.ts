/** Stops reading soon after the limit, however much there is; the caller refuses what is too long. */
export async function readAll(input: NodeJS.ReadableStream, longest: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) {
    text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > longest * 2) return text;
  }
  return text + decoder.decode();
}
