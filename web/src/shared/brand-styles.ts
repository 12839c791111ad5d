/** The style sheet of the brand, kept in the browser so that the next visit starts in its colors. */
const STORAGE_KEY = 'trunkline.brand-styles';
let sheet: CSSStyleSheet | null = null;

/** Shows the colors of the brand that was shown here last, before anything is loaded. */
export function showRememberedStyles(): void {
  try {
    const styles = localStorage.getItem(STORAGE_KEY);
    if (styles) apply(styles);
  } catch {
    // Without storage the colors come with the brand.
  }
}

/** Shows a style sheet from now on, and remembers it; empty: our own colors. */
export function showStyles(styles: string): void {
  apply(styles);
  try {
    if (styles) localStorage.setItem(STORAGE_KEY, styles);
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // A private window forgets it.
  }
}

function apply(styles: string): void {
  if (!sheet) {
    if (!styles) return;
    // Not an element: the policy of the page allows no inline styles.
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  sheet.replaceSync(styles);
}
