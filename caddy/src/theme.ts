import { mergeThemeOverrides } from '@mantine/core';
import { theme } from '#ui/theme.ts';

/** The kit's theme in Caddy's own color. */
export const caddyTheme = mergeThemeOverrides(theme, { primaryColor: 'violet' });
