type WidthOf = (text: string) => number;

/** The text as lines no wider than this. A word that is wider is cut into pieces. */
export function wrapText(text: string, width: number, widthOf: WidthOf): string[] {
  const lines: string[] = [];
  for (const part of text.split('\n')) {
    let line = '';
    for (const word of part.split(' ').flatMap((w) => piecesOf(w, width, widthOf))) {
      const longer = line ? `${line} ${word}` : word;
      if (line && widthOf(longer) > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}

function piecesOf(word: string, width: number, widthOf: WidthOf): string[] {
  if (widthOf(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = '';
  for (const c of word) {
    if (piece && widthOf(piece + c) > width) {
      pieces.push(piece);
      piece = c;
    } else piece += c;
  }
  return [...pieces, piece];
}

/** The text, with an ellipsis for what doesn't fit into one line of this width. */
export function cutText(text: string, width: number, widthOf: WidthOf): string {
  if (widthOf(text) <= width) return text;
  const letters = [...text].slice(0, 400); // wider than the page already
  while (letters.length && widthOf(`${letters.join('')}…`) > width) letters.pop();
  return `${letters.join('')}…`;
}
