import { linear, luminance } from '#contract/settings/tenant/rules';
import { accent } from './palette.ts';
import { surfaces, type Scheme } from './variables.ts';

/** White text on it has the least contrast that people can read, 4.5 : 1. */
const LIGHTEST_FILL = 0.18;
/** A button of it still stands out from the dark page, 3 : 1. */
const DARKEST_FILL_ON_DARK = 0.15;

const hex = (light: number): string => {
  const channel = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, channel)) * 255)
    .toString(16)
    .padStart(2, '0');
};

/** A `#RRGGBB` color made lighter or darker until it has this luminance; its hue stays. */
function withLuminance(color: string, wanted: number): string {
  const own = luminance(color);
  const channels = [1, 3, 5].map((at) => linear(Number.parseInt(color.slice(at, at + 2), 16)));
  const mixed =
    own > wanted
      ? channels.map((light) => (light * wanted) / own)
      : channels.map((light) => light + ((1 - light) * (wanted - own)) / (1 - own || 1));
  return `#${mixed.map(hex).join('')}`;
}

/**
 * The theme's variables in the colors of a brand. Each shade has the luminance of the one in our own
 * palette, so what people can read there they can read here, whatever color was chosen: one that is
 * too light is shown darker.
 * @param primary `#RRGGBB`: buttons, what is chosen, sent messages; null: our own
 * @param secondary `#RRGGBB`: links; null: as `primary`
 */
export function brandVariables(
  { primary, secondary }: { primary: string | null; secondary: string | null },
  scheme: Scheme,
): Record<string, string> {
  const dark = scheme === 'dark';
  const own = surfaces[scheme];
  const like = (color: string, ours: string) => withLuminance(color, luminance(ours));
  const shades = primary ? shadesOf(primary, dark) : accent;
  const link = secondary ?? primary;
  return {
    ...Object.fromEntries(shades.map((shade, at) => [`--mantine-color-accent-${at}`, shade])),
    '--mantine-color-accent-filled': shades[6] ?? '',
    '--mantine-color-accent-filled-hover': shades[7] ?? '',
    ...(primary &&
      Object.fromEntries(
        ['--tl-chosen', '--tl-bubble-out', '--tl-bubble-out-text'].map((name) => [
          name,
          like(dark ? muted(primary) : primary, own[name] ?? '#000000'),
        ]),
      )),
    ...(link && { '--mantine-color-anchor': readable(link, dark) }),
  };
}

/** Half gray: large surfaces in a full color would glow on a dark page. */
const muted = (color: string): string =>
  `#${[1, 3, 5]
    .map((at) => Math.round((Number.parseInt(color.slice(at, at + 2), 16) + 0x60) / 2))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

/** The color itself as text, where it can be read; else lighter or darker. */
const readable = (color: string, dark: boolean): string =>
  withLuminance(
    color,
    dark
      ? Math.max(luminance(color), luminance(accent[3] ?? ''))
      : Math.min(luminance(color), LIGHTEST_FILL),
  );

function shadesOf(primary: string, dark: boolean): string[] {
  const fill = Math.min(
    LIGHTEST_FILL,
    Math.max(luminance(primary), dark ? DARKEST_FILL_ON_DARK : 0),
  );
  const darker = [1, 0.68, 0.45, 0.28].map((share) => withLuminance(primary, fill * share));
  return [...accent.slice(0, 6).map((ours) => withLuminance(primary, luminance(ours))), ...darker];
}

/** A style sheet with the variables for both schemes. */
export function brandStyles(colors: { primary: string | null; secondary: string | null }): string {
  return (['light', 'dark'] as const)
    .map((scheme) => {
      const lines = Object.entries(brandVariables(colors, scheme)).map(
        ([name, value]) => `${name}:${value};`,
      );
      return `:root[data-mantine-color-scheme='${scheme}']{${lines.join('')}}`;
    })
    .join('\n');
}
