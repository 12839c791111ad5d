import { defineConfig } from 'vite';
import { appConfig } from '../ui/src/vite/app-config.ts';

export default defineConfig(
  appConfig(import.meta.dirname, {
    base: '/',
    port: 5173,
    publicDir: true,
    // One larger file compresses better than many small ones: beside the frame, which every screen
    // needs, what opens above a page, the icons that several screens need, and what of packages
    // most screens need. What only forms need stays apart: the busiest screens open without one.
    groups: [
      {
        name: 'forms',
        test: /node_modules.(@mantine.form|klona|fast-deep-equal).|ui.src.form.ts$/,
        priority: 2,
        includeDependenciesRecursively: false,
      },
      {
        name: 'lists',
        test: /ui.src.list./,
        priority: 2,
        includeDependenciesRecursively: false,
      },
      {
        name: 'popups',
        test: /@mantine.core.esm.components.(Menu|Popover|Combobox|ScrollArea|Select|Checkbox|Radio.RadioIcon)./,
        priority: 1,
        includeDependenciesRecursively: false,
      },
      {
        // A hundred bytes each, of components that most screens have one of.
        name: 'helpers',
        test: /@mantine.core.esm.core.(utils.get-(safe-id|env)|Box.get-style-object)/,
        priority: 1,
        includeDependenciesRecursively: false,
      },
      {
        name: 'icons',
        test: /@tabler.icons-react.dist.esm.icons/,
        minShareCount: 2,
        priority: 1,
        includeDependenciesRecursively: false,
      },
      {
        name: 'kit',
        test: /node_modules.(?!@floating-ui)/,
        // At fewer, screens load more than they save in requests.
        minShareCount: 54,
        includeDependenciesRecursively: false,
      },
    ],
  }),
);
