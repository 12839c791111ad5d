import { Title } from '@mantine/core';
import { t, useTitle } from '#ui';
import { useBrand } from './brand.ts';
import { BrandPicture } from './BrandPicture.tsx';
import css from './AuthFrame.module.css';

/** The name of a host without a brand. */
const PRODUCT = 'Trunkline';

/** The frame of the pages before sign-in: the logo and one column. */
export function AuthFrame({
  title,
  about: description,
  children,
  below: footer,
  wide = false,
}: {
  title: string;
  wide?: boolean;
  about?: React.ReactNode;
  children?: React.ReactNode;
  below?: React.ReactNode;
}) {
  useTitle(title);
  const brand = useBrand();
  return (
    <main className={css.frame}>
      <div className={css.column} data-wide={wide || undefined}>
        {brand ? (
          <a href="/" className={css.mark}>
            <BrandMark brand={brand} />
          </a>
        ) : (
          // A link without a name would be none.
          <span className={css.mark} />
        )}
        <div className={css.card}>
          <Title order={1}>{title}</Title>
          {description && <p className={css.about}>{description}</p>}
          <div className={css.content}>{children}</div>
        </div>
        {footer && <div className={css.below}>{footer}</div>}
        {brand && brand.name !== PRODUCT && !brand.hide_vendor_name && (
          <p className={css.vendor}>{t('Powered by {product}', { product: PRODUCT })}</p>
        )}
      </div>
    </main>
  );
}

/** The logo and name of the host's brand. */
function BrandMark({ brand }: { brand: NonNullable<ReturnType<typeof useBrand>> }) {
  if (brand.logo)
    return (
      <span className={css.logo}>
        <BrandPicture light={brand.logo} dark={brand.logo_dark} name={brand.name} />
      </span>
    );
  return (
    <>
      {brand.name === PRODUCT && <Mark />} {brand.name}
    </>
  );
}

export const Mark = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0f766e" />
    <path d="M7 10h18M16 10v13" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" fill="none" />
    <circle cx="7" cy="10" r="2.6" fill="#abe2d9" />
    <circle cx="25" cy="10" r="2.6" fill="#abe2d9" />
    <circle cx="16" cy="23" r="2.6" fill="#fff" />
  </svg>
);
