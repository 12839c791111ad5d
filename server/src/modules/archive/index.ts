export { importArchive } from './reading/import-archive.ts';
export { ArchiveRefusal } from './reading/refusal.ts';
export { checkAccount, eraseAccount, holdAccount } from './operator-erasing/erase-account.ts';
export { eraseNumber } from './operator-erasing/erase-number.ts';
export { ErasureRefusal } from './operator-erasing/refusal.ts';
export { whatStaysOfAccounts } from './operator-erasing/traces.ts';
