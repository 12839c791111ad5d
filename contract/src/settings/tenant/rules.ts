/** How long DNS is looked at for records that are still missing (A21), in hours. */
export const dnsCheckHours = 72;
/** How often (A21), in minutes. */
export const dnsCheckMinutes = 15;

/** `#RRGGBB`, as branding takes it (A21). */
export const colorPattern = /^#[0-9a-f]{6}$/i;

/** The least contrast of text and controls (WCAG 2.2 AA). */
const LEAST_CONTRAST = 4.5;

/** A channel (0–255) as light: 0 to 1. */
export const linear = (channel: number): number => {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};
/** The relative luminance of a `#RRGGBB` color by WCAG: 0 to 1. */
export const luminance = (color: string): number => {
  const [r, g, b] = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16)));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
};

/** The contrast of two `#RRGGBB` colors by WCAG: 1 to 21. */
export function contrastOf(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** What people couldn't read with these colors, a sentence each. */
export function contrastWarnings(colors: {
  primary_color: string | null;
  secondary_color: string | null;
}): string[] {
  return [
    ['primary color', colors.primary_color] as const,
    ['secondary color', colors.secondary_color] as const,
  ].flatMap(([name, color]) => {
    if (color === null || !colorPattern.test(color)) return [];
    const contrast = contrastOf(color, '#ffffff');
    return contrast < LEAST_CONTRAST
      ? [
          `White text on your ${name} has a contrast of ${contrast.toFixed(1)}, so it’s shown darker. From ${LEAST_CONTRAST} on it’s shown as it is.`,
        ]
      : [];
  });
}
