import { mountApp } from '#ui';
import { Caddy } from './Caddy.tsx';
import { caddyTheme } from './theme.ts';

mountApp(<Caddy />, { product: 'Caddy', theme: caddyTheme });
