export { beginConnecting, finishConnecting, type ConnectOutcome } from './connect.ts';
export { disconnect, listConnections } from './disconnect.ts';
export { askWithConnection, ConnectionUnusableError } from './use-connection.ts';
export { companyOfState } from './rules.ts';
export type { Connection } from './present.ts';
