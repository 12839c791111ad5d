export { routeCalls } from './numbers/route-calls.ts';
export { openAccount } from './sign-in/open-account.ts';
