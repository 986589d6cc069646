// Nothing: it makes `canImport(Darwin)` true where a module asks for Apple's platforms so and calls no function of the system.
