import { Command } from "commander";

new Command("miracle")
  .version("x")
  .action(() => {
    console.log("hi");
  })
  .parse();
