/** Prints pages in light colors: paper is white. Returns its removal. */
export function printLight(): () => void {
  const { dataset } = document.documentElement;
  let before: string | undefined;
  const lighten = (): void => {
    before ??= dataset['mantineColorScheme'];
    dataset['mantineColorScheme'] = 'light';
  };
  const restore = (): void => {
    if (before) dataset['mantineColorScheme'] = before;
    before = undefined;
  };
  window.addEventListener('beforeprint', lighten);
  window.addEventListener('afterprint', restore);
  return () => {
    window.removeEventListener('beforeprint', lighten);
    window.removeEventListener('afterprint', restore);
  };
}
