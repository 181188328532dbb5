export function fillCode(text: string): string;
