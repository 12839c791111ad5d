import { useEffect, useState } from 'react';
import { colorPattern } from '#contract/settings/tenant/rules';
import { t, useUnsavedGuard } from '#ui';
import { pictureKinds, type PictureKind, type SavedLook } from './brand.ts';

type ColorKind = 'primary_color' | 'secondary_color';
/** A file to upload; null: to be removed. */
type Pictures = Partial<Record<PictureKind, File | null>>;

/** What was changed of a brand and isn't saved yet. */
export function useBrandDraft(saved: SavedLook) {
  const [pictures, setPictures] = useState<Pictures>({});
  const [colors, setColors] = useState<Partial<Record<ColorKind, string>>>({});
  const addresses = useAddresses(pictures);
  const colorOf = (kind: ColorKind) => colors[kind] ?? saved[kind] ?? '';
  const problemOf = (kind: ColorKind) =>
    colorOf(kind) === '' || colorPattern.test(colorOf(kind))
      ? null
      : t('Enter a color like #0F766E.');
  const shownColor = (kind: ColorKind) => (problemOf(kind) ? null : colorOf(kind) || null);
  const shownPicture = (kind: PictureKind) =>
    kind in pictures ? (addresses[kind] ?? null) : saved[kind];
  const changedColors = (['primary_color', 'secondary_color'] as const).filter(
    (kind) => colorOf(kind) !== (saved[kind] ?? ''),
  );
  const isDirty = changedColors.length > 0 || Object.keys(pictures).length > 0;
  useUnsavedGuard(isDirty);
  const shown: SavedLook = {
    logo: shownPicture('logo'),
    logo_dark: shownPicture('logo_dark'),
    favicon: shownPicture('favicon'),
    primary_color: shownColor('primary_color'),
    secondary_color: shownColor('secondary_color'),
  };
  return {
    shown,
    isDirty,
    hasProblem: Boolean(problemOf('primary_color') ?? problemOf('secondary_color')),
    choose: (kind: PictureKind, file: File | null) =>
      setPictures((before) => withPicture(before, kind, file, saved[kind])),
    color: (kind: ColorKind) => ({
      value: colorOf(kind),
      error: problemOf(kind),
      onChange: (value: string) => setColors((before) => ({ ...before, [kind]: value })),
    }),
    reset: () => {
      setPictures({});
      setColors({});
    },
    /** The form to send: only what changed. */
    fields: (): Record<string, unknown> => {
      const removed = pictureKinds.filter((kind) => pictures[kind] === null);
      return {
        ...Object.fromEntries(Object.entries(pictures).filter(([, file]) => file)),
        ...Object.fromEntries(changedColors.map((kind) => [kind, colorOf(kind)])),
        ...(removed.length && { remove: removed }),
      };
    },
  };
}

/** A picture that isn't saved needs no removal. */
function withPicture(
  before: Pictures,
  kind: PictureKind,
  file: File | null,
  saved: string | null,
): Pictures {
  if (file || saved) return { ...before, [kind]: file };
  const { [kind]: _, ...others } = before;
  return others;
}

/** Addresses of chosen files for this page. */
function useAddresses(pictures: Pictures): Partial<Record<PictureKind, string>> {
  const [addresses, setAddresses] = useState<Partial<Record<PictureKind, string>>>({});
  useEffect(() => {
    const made = Object.entries(pictures).flatMap(([kind, file]) =>
      file ? [[kind, URL.createObjectURL(file)] as const] : [],
    );
    setAddresses(Object.fromEntries(made));
    return () => made.forEach(([, address]) => URL.revokeObjectURL(address));
  }, [pictures]);
  return addresses;
}
