/** A small panel that says what a page shows in a test; it doesn't touch the page's own elements. */
export function showTestPanel(lines: string[]): void {
  const panel = document.createElement('div');
  panel.dataset.dniNoswap = '';
  panel.style.cssText =
    'position:fixed;z-index:99999;bottom:0;padding:9px;background:#111;color:#fff;white-space:pre';
  panel.textContent = lines.join('\n');
  document.documentElement.append(panel);
}
