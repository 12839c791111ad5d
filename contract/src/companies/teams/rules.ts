/** Teams a company can have, and people one of them can hold. */
export const mostTeams = 100;
export const mostMembers = 200;
