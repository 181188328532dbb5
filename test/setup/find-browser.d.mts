export function findBrowser(): string | null;
export function missingBrowser(): string;
