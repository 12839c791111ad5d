import { defineConfig } from 'vite';
import { appConfig } from '../ui/src/vite/app-config.ts';

export default defineConfig(
  appConfig(import.meta.dirname, { base: '/caddy/', port: 5175, publicDir: true }),
);
