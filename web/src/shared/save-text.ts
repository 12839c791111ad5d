/** Saves text as a CSV file, as if it had been downloaded. */
export const saveText = (name: string, text: string): void =>
  saveFile(name, new Blob([text], { type: 'text/csv' }));

/** Saves a file that the page made, as if it had been downloaded. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
