export { importArchive } from './reading/import-archive.ts';
export { ArchiveRefusal } from './reading/refusal.ts';
