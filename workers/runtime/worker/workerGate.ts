/** Lets attempts in together, or one alone: it waits until the others have left, and who comes later waits for it. */
export class WorkerGate {
  private inside = 0;
  private aloneInside = false;
  private readonly waiting: { alone: boolean; enter(): void }[] = [];

  /** Resolves when the attempt may begin, with what it calls when it has ended. */
  async enter(alone: boolean): Promise<() => void> {
    if (this.waiting.length > 0 || !this.mayEnter(alone)) {
      await new Promise<void>((enter) => this.waiting.push({ alone, enter }));
    } else this.take(alone);
    return () => {
      this.inside -= 1;
      this.aloneInside = false;
      this.admit();
    };
  }

  private mayEnter(alone: boolean): boolean {
    return alone ? this.inside === 0 : !this.aloneInside;
  }

  private take(alone: boolean): void {
    this.inside += 1;
    this.aloneInside = alone;
  }

  private admit(): void {
    for (let next = this.waiting[0]; next !== undefined && this.mayEnter(next.alone); next = this.waiting[0]) {
      this.waiting.shift();
      this.take(next.alone);
      next.enter();
    }
  }
}
