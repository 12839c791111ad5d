/** An address without query and fragment, which can carry personal data; null: it can't be read. */
export const pageOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : null;
