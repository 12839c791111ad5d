export { answers } from './routes.ts';
export { doorman } from './doorman.ts';
export { knownZone } from './write.ts';
export {
  companyRow,
  insertCompany,
  insertMembership,
  insertOrganization,
  insertOrganizationAdmin,
  ownersOf,
} from './store.ts';
export { limitPeopleToNumber } from './limit-people.ts';
export { unmutedAddresses } from './unmuted-addresses.ts';
