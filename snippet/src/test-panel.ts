/** A small panel that says what a page shows in a test; it doesn't touch the page's own elements. */
export function showTestPanel(lines: string[]): void {
  const panel = document.createElement('div');
  panel.dataset.dniNoswap = '';
  panel.style.cssText =
    'position:fixed;z-index:2147483647;right:9px;bottom:9px;padding:9px;background:#111;color:#fff;font:13px sans-serif;white-space:pre';
  panel.textContent = lines.join('\n');
  document.documentElement.append(panel);
}
