package vaultgen

import "strings"

var (
	names      = strings.Fields("Mira Jonas Pieter Ruth Omar Nadia Tomas Ines Leo Sofia Karim Elsa Bruno Hana Viktor Lotte")
	places     = strings.Fields("Ghent Malmö Lisbon Turin Leipzig Cork Bergen Graz Porto Utrecht Lyon Riga")
	verbs      = strings.Fields("rent repair measure paint order ship test describe cancel finish copy translate clean photograph sell design archive book")
	adjectives = strings.Fields("old new blue wooden second shared heavy quiet broken small annual printed northern public spare open")
	things     = strings.Fields("kiln export invoice garden bicycle oven contract recipe camera roof ledger violin boat printer archive exhibition database lamp " +
		"ticket passport newsletter staircase workshop tenant glaze curriculum radiator orchard ferry translation marathon schedule")
	syllables = strings.Fields("ra len mo ti sku vel dor an wi ke pa ros bin hal ju qua")
)
