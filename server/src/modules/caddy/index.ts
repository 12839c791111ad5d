export { routeCalls } from './numbers/route-calls.ts';
export { providerReturnRoutes } from './sign-in/provider-return.ts';
export { openAccount } from './sign-in/open-account.ts';
