from idg.cli.main import main

raise SystemExit(main())
