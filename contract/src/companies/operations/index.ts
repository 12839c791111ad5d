export * from './companies.ts';
export * from './sign-up.ts';
export * from './users.ts';
