import { existsSync } from 'node:fs';

/** Where distributions and installers put Chromium or Chrome. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the Chromium that is installed on this machine; null: none is. */
export const installedBrowser = (): string | null =>
  places.find((path) => existsSync(path)) ?? null;
