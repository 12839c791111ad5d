export { tagsNamed } from './tags-named.ts';
export { owns } from './store.ts';
