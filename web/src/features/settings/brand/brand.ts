import { t } from '#ui';

/** What a brand looks like, as it is saved; null: the product's own. */
export interface SavedLook {
  logo: string | null;
  logo_dark: string | null;
  favicon: string | null;
  primary_color: string | null;
  secondary_color: string | null;
}
export type PictureKind = 'logo' | 'logo_dark' | 'favicon';

export const pictureLabels: Record<PictureKind, string> = {
  logo: t('Logo'),
  logo_dark: t('Logo on dark backgrounds'),
  favicon: t('Icon of the browser tab'),
};
export const pictureKinds = Object.keys(pictureLabels) as PictureKind[];
