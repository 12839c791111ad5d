/** Of the script; a new one for every release that changes it (`npm run snippet`). */
export const version = '1.1.2';
