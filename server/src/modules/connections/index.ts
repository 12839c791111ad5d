export { beginConnecting, finishConnecting, type ConnectOutcome } from './connect.ts';
export { connectedAccount, connectedAccounts, disconnect, listConnections } from './disconnect.ts';
export { refreshAccount } from './refresh-account.ts';
export { askWithConnection, ConnectionUnusableError } from './use-connection.ts';
export { companyOfState } from './rules.ts';
export type { Connection } from './present.ts';
