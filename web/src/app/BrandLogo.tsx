import { useLook } from '../shared/brand.ts';
import { BrandPicture } from '../shared/BrandPicture.tsx';
import css from './BrandLogo.module.css';

/** The brand's logo above the menu; nothing without one. */
export default function BrandLogo() {
  const look = useLook();
  if (!look?.logo) return null;
  return (
    <a href="/" className={css.logo}>
      <BrandPicture light={look.logo} dark={look.logo_dark} name={look.name} />
    </a>
  );
}
