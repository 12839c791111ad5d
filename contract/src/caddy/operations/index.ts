export * from './account.ts';
export * from './numbers.ts';
export * from './profile.ts';
export * from './sign-in.ts';
