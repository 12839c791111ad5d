import { useEffect } from 'react';
import { setProduct } from '#ui';
import { useLook } from '../shared/brand.ts';
import { showStyles } from '../shared/brand-styles.ts';

/** Gives the page the brand's colors, icon and name. */
export default function BrandLook() {
  const look = useLook();
  const isKnown = look !== null;
  const [primary, secondary] = [look?.primary_color ?? null, look?.secondary_color ?? null];
  const [icon, name] = [look?.favicon ?? null, look?.name];
  useEffect(() => {
    if (!isKnown) return;
    if (!primary && !secondary) return showStyles('');
    let isGone = false;
    void import('#ui/theme/brand-colors.ts').then(
      ({ brandStyles }) => isGone || showStyles(brandStyles({ primary, secondary })),
      // Our own colors are as good until the next load.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isKnown, primary, secondary]);
  useEffect(() => {
    if (isKnown) showIcon(icon);
  }, [isKnown, icon]);
  useEffect(() => {
    if (name) setProduct(name);
  }, [name]);
  return null;
}

let ownIcons: HTMLLinkElement[] | null = null;

/** Shows this icon in the tab; null: our own. */
function showIcon(address: string | null): void {
  const shown = [...document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')];
  ownIcons ??= shown;
  if (!address && shown.every((link) => ownIcons?.includes(link))) return;
  for (const link of shown) link.remove();
  const link = document.createElement('link');
  Object.assign(link, { rel: 'icon', type: 'image/png', href: address ?? '' });
  document.head.append(...(address ? [link] : ownIcons));
}
