/** The color of a share of the most, from 0 to 1: darker in light mode and lighter in dark mode. */
export const shade = (share: number): string =>
  `color-mix(in srgb, var(--tl-accent) ${Math.round(share * 100)}%, var(--tl-sunken))`;
